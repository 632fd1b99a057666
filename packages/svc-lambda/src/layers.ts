import { parseArn } from '@emu/core/service';
import { awsError } from '@emu/wire';
import { invalid } from './errors.ts';
import { LIMITS } from './limits.ts';
import { otherState } from './names.ts';
import { isParametersExtension } from './parameters-extension/settings.ts';
import { LAYERS } from './quotas.ts';
import type { LayerReference, LayerVersion } from './records.ts';
import { layerVersionType } from './resources.ts';
import type { LambdaState } from './state.ts';

/** The layer version of an ARN, in whichever account it is; undefined where there is none. */
export function findLayerVersion(
  arn: string,
  state: LambdaState,
): { owner: LambdaState; layer: LayerVersion } | undefined {
  const address = layerVersionType.parse(arn);
  const owner = address && otherState(address.place.accountId, state);
  const layer = owner?.layerVersions.get(`${address?.key.name}:${address?.key.version}`);
  return owner && layer && { owner, layer };
}

/**
 * The layers of a function.
 * @param principal ARN of who asks, for the message where another account's layer is not theirs to use
 * @param codeSize bytes of the function's own files
 * @throws AwsError `InvalidParameterValueException`, `AccessDeniedException`
 */
export function layerReferences(
  arns: readonly string[],
  state: LambdaState,
  principal: string,
  codeSize: number,
): LayerReference[] {
  const enforced = state.service.quotaLimit(LAYERS, state.accountId, state.region);
  const most = Number.isFinite(enforced) ? enforced : LIMITS.layers;
  if (arns.length > most) throw invalid(`Cannot reference more than ${most} layers.`);
  const byLayer = new Map<string, string>();
  const references = arns.map((arn) => {
    const region = parseArn(arn)?.region;
    if (region !== state.region)
      throw invalid(
        `Layers are not in the same region as the function. Layers are expected to be in region ${state.region}.`,
      );
    const found = findLayerVersion(arn, state);
    const emulated = !found && isParametersExtension(arn, state.accountId);
    if (!emulated && !isReadable(found, arn, state)) throw accessDenied('GetLayerVersion', principal, arn);
    if (!found && !emulated) throw invalid(`Layer version ${arn} does not exist.`);
    const layerArn = arn.slice(0, arn.lastIndexOf(':'));
    const other = byLayer.get(layerArn);
    if (other !== undefined)
      throw invalid(
        `Two different versions of the same layer are not allowed to be referenced in the same function. ${other} and ${arn} are versions of the same layer.`,
      );
    byLayer.set(layerArn, arn);
    if (!found) return { arn, size: 0, unzippedSize: 0 };
    const { size, unzippedSize, body } = found.layer.code;
    return { arn, size, unzippedSize, body: body! };
  });
  checkTotalSize(references, codeSize);
  return references;
}

/**
 * Refuses a function whose files and layers are too large together.
 * @throws AwsError `InvalidParameterValueException`
 */
export function checkTotalSize(layers: readonly { readonly unzippedSize: number }[], codeSize: number): void {
  if (!layers.length) return;
  const total = layers.reduce((sum, { unzippedSize }) => sum + unzippedSize, codeSize);
  if (total > LIMITS.unzippedSize)
    throw invalid(
      `Function code combined with layers exceeds the maximum allowed size of ${LIMITS.unzippedSize} bytes. The actual size is ${total} bytes.`,
    );
}

/** What AWS answers where another account's layer is not shared. */
export const accessDenied = (action: 'GetLayerVersion' | 'ListLayerVersions', principal: string, arn: string) =>
  awsError(
    'AccessDeniedException',
    `User: ${principal} is not authorized to perform: lambda:${action} on resource: ${arn} because no resource-based policy allows the lambda:${action} action`,
    { status: 403 },
  );

/**
 * Whether the account of a state may read a layer version: one that is shared with it, or any of its own. Nobody learns
 * which layers another account lacks; AWS's public ones are lacking here.
 * @param found what `findLayerVersion` found
 */
export const isReadable = (
  found: { owner: LambdaState; layer: LayerVersion } | undefined,
  arn: string,
  { accountId }: LambdaState,
): boolean => (found ? allows(found.layer, accountId, found.owner) : parseArn(arn)?.accountId === accountId);

/** Whether an account may use a layer version: its own, or one that is shared with it or with everybody. */
function allows(layer: LayerVersion, accountId: string, owner: LambdaState): boolean {
  if (owner.accountId === accountId) return true;
  return (layer.policy?.statements ?? []).some(({ Principal }) => {
    const aws = typeof Principal === 'string' ? Principal : Principal.AWS;
    return aws === '*' || aws === accountId || parseArn(aws ?? '')?.accountId === accountId;
  });
}
