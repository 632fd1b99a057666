import { type DeepReadonly, notEmulated } from '@emu/core/service';
import { lambdaError } from '../errors.ts';
import type { CodeRecord, CodeSigningConfigRecord } from '../records.ts';
import { codeSigningConfigType } from '../resources.ts';
import type { LambdaState } from '../state.ts';

/** Returns a code signing configuration by ARN. */
export function findCodeSigningConfig(
  state: LambdaState,
  arn: string,
): DeepReadonly<CodeSigningConfigRecord> | undefined {
  const { key, place } = codeSigningConfigType.parse(arn) ?? {};
  if (place?.accountId !== state.accountId || place.region !== state.region) return undefined;
  return state.codeSigningConfigs.get(key!.id);
}

/**
 * Rejects a missing code signing configuration.
 * @throws AwsError `CodeSigningConfigNotFoundException`
 */
export function requireCodeSigningConfig(state: LambdaState, arn: string): void {
  if (!findCodeSigningConfig(state, arn))
    throw lambdaError(
      'CodeSigningConfigNotFoundException',
      `The code signing configuration cannot be found. Check that the provided configuration is not deleted: ${arn}.`,
    );
}

/** Name prefix of the file with AWS Signer's signature in a package. */
const SIGNATURE = 'META-INF/aws_signer_signature';

/**
 * Rejects an unsigned package if the function's code signing configuration enforces signatures; with `Warn` AWS deploys
 * it.
 * @param configArn of the function; undefined without configuration
 * @throws AwsError `CodeVerificationFailedException`; `NotImplemented` for a signed package, whose signature cannot be
 * verified here
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-codesigning.html
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
  if (Buffer.concat(chunks).includes(SIGNATURE)) throw notEmulated('verifying the signatures of lambda packages');
  throw lambdaError(
    'CodeVerificationFailedException',
    `Lambda cannot deploy the function. The function or layer might be signed using a signature that the client is not configured to accept. Check the provided signature for ${functionName}.`,
  );
}
