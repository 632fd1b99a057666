import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { homeOf } from '../interpreters/places.ts';
import { compareVersions, numbersOf } from '../interpreters/versions.ts';

/**
 * Jars of AWS's runtime interface client for Java, without versions.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/java-image.html#java-image-clients
 */
const JARS = ['aws-lambda-java-runtime-interface-client', 'aws-lambda-java-core', 'aws-lambda-java-serialization'];

/** Main class of the client; its argument is the handler. */
export const JAVA_MAIN = 'com.amazonaws.services.lambda.runtime.api.client.AWSLambda';

/** How to install the client, for a message. */
export const javaClientAdvice = (runtimeDirectory: string): string =>
  `install AWS's runtime interface client: mvn dependency:get -Dartifact=com.amazonaws:${JARS[0]}:RELEASE, or put the jars of ${JARS.join(', ')} into ${join(runtimeDirectory, 'java')}`;

/**
 * Copies the client beside the bootstraps: from the runtime directory, otherwise from the user's Maven repository.
 * @returns the directory of its jars; undefined if it is not installed
 */
export async function javaClient(bootstraps: string, runtimeDirectory: string): Promise<string | undefined> {
  const target = join(bootstraps, 'java');
  if ((await jarsIn(target)).length > 0) return target;
  const maven = join(homeOf(process.env), '.m2/repository/com/amazonaws');
  const jars = (await complete(join(runtimeDirectory, 'java'))) ?? (await fromMaven(maven));
  if (jars === undefined) return undefined;
  const partial = `${target}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  for (const [index, jar] of jars.entries()) await copyFile(jar, join(partial, `${index}.jar`));
  await rename(partial, target).catch(async (error: unknown) => {
    // Another environment has copied it meanwhile.
    if ((await jarsIn(target)).length === 0) throw error;
  });
  return target;
}

/** Returns the jars in a directory if the client is among them. */
async function complete(directory: string): Promise<string[] | undefined> {
  const names = await jarsIn(directory);
  const isComplete = JARS.every((jar) => names.some((name) => name.startsWith(jar)));
  return isComplete ? names.map((name) => join(directory, name)) : undefined;
}

async function jarsIn(directory: string): Promise<string[]> {
  return (await readdir(directory).catch(() => [])).filter((name) => name.endsWith('.jar'));
}

/** Returns the newest versions of the client's jars in a Maven repository. */
async function fromMaven(group: string): Promise<string[] | undefined> {
  const found: string[] = [];
  for (const jar of JARS) {
    const versions = await readdir(join(group, jar)).catch(() => []);
    versions.sort((a, b) => compareVersions(numbersOf(b) ?? [], numbersOf(a) ?? []));
    for (const version of versions) {
      // A directory may contain the description only.
      const [file] = (await jarsIn(join(group, jar, version))).filter((name) => name === `${jar}-${version}.jar`);
      if (file === undefined) continue;
      found.push(join(group, jar, version, file));
      break;
    }
  }
  return found.length === JARS.length ? found : undefined;
}
