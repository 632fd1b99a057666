import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MissingProgram } from './failures.ts';

/** The program that runs handlers in class libraries. */
const CLIENT = 'Amazon.Lambda.RuntimeSupport.dll';

/** How to install the client, for a message. */
export const dotnetClientAdvice = (runtimeDirectory: string): string =>
  `install ${CLIENT}: dotnet publish -p:ExecutableOutputType=true of https://github.com/aws/aws-lambda-dotnet, Libraries/src/Amazon.Lambda.RuntimeSupport, into ${join(runtimeDirectory, 'dotnet')}; a function with an executable assembly needs none`;

/**
 * Returns the arguments of `dotnet` that run a handler, as AWS's runtime does; undefined without a client.
 * @param handler an executable assembly, or `Assembly::Class::Method`
 * @param client directory of the client
 * @throws MissingProgram if the package lacks a file
 * @see https://github.com/aws/aws-lambda-dotnet/blob/master/Libraries/src/Amazon.Lambda.RuntimeSupport/bootstrap.sh
 */
export async function dotnetArguments(
  handler: string,
  taskRoot: string,
  client: string,
): Promise<readonly string[] | undefined> {
  const [assembly = '', ...members] = handler.split(':');
  if (members.length === 0) return [join(taskRoot, assembly.endsWith('.dll') ? assembly : `${assembly}.dll`)];
  if (!(await isThere(join(client, CLIENT)))) return undefined;
  return [
    ...['--depsfile', await fileOf(taskRoot, assembly, '.deps.json')],
    ...['--runtimeconfig', await fileOf(taskRoot, assembly, '.runtimeconfig.json')],
    join(client, CLIENT),
    handler,
  ];
}

/** Returns the file of an assembly, otherwise the only one with an ending. @throws MissingProgram without any */
async function fileOf(taskRoot: string, assembly: string, ending: string): Promise<string> {
  const own = join(taskRoot, assembly + ending);
  if (await isThere(own)) return own;
  const others = (await readdir(taskRoot)).filter((name) => name.endsWith(ending));
  if (others.length === 1) return join(taskRoot, others[0]!);
  throw new MissingProgram(
    `.NET binaries for Lambda function are not correctly installed in the /var/task directory: it is missing the required ${ending} file.`,
  );
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
