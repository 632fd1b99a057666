import type { DeepReadonly } from '@emu/core/service';
import { lambdaError, notImplemented } from './errors.ts';
import type { CodeRecord, CodeSigningConfigRecord } from './records.ts';
import { codeSigningConfigType } from './resources.ts';
import type { LambdaState } from './state.ts';

/** Finds a code signing configuration by its ARN. */
export function findCodeSigningConfig(
  state: LambdaState,
  arn: string,
): DeepReadonly<CodeSigningConfigRecord> | undefined {
  const { key, place } = codeSigningConfigType.parse(arn) ?? {};
  if (place?.accountId !== state.accountId || place.region !== state.region) return undefined;
  return state.codeSigningConfigs.get(key!.id);
}

/**
 * Refuses a code signing configuration that is not there.
 * @throws AwsError `CodeSigningConfigNotFoundException`
 */
export function requireCodeSigningConfig(state: LambdaState, arn: string): void {
  if (!findCodeSigningConfig(state, arn))
    throw lambdaError(
      'CodeSigningConfigNotFoundException',
      `The code signing configuration cannot be found. Check that the provided configuration is not deleted: ${arn}.`,
    );
}

/** Begins the name of the file in which AWS Signer puts a package's signature. */
const SIGNATURE = 'META-INF/aws_signer_signature';

/**
 * Refuses a package that nobody signed where the function's code signing configuration enforces signatures; with `Warn`
 * AWS deploys it. https://docs.aws.amazon.com/lambda/latest/dg/configuration-codesigning.html
 * @param configArn of the function; undefined where it has none
 * @throws AwsError `CodeVerificationFailedException`; `NotImplemented` for a signature, which cannot be verified here
 */
export async function checkSignature(
  state: LambdaState,
  functionName: string,
  configArn: string | undefined,
  { body }: CodeRecord,
): Promise<void> {
  const config = configArn === undefined ? undefined : findCodeSigningConfig(state, configArn);
  if (config?.untrustedArtifactOnDeployment !== 'Enforce' || body === undefined) return;
  const chunks: Uint8Array[] = [];
  for await (const chunk of state.bodies.read(body)) chunks.push(chunk);
  if (Buffer.concat(chunks).includes(SIGNATURE)) throw notImplemented('verifying the signatures of lambda packages');
  throw lambdaError(
    'CodeVerificationFailedException',
    `Lambda cannot deploy the function. The function or layer might be signed using a signature that the client is not configured to accept. Check the provided signature for ${functionName}.`,
  );
}
