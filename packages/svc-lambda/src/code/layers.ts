import { parseArn } from '@emu/core/service';
import { invalidParameterValue, plainError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { otherState } from '../names.ts';
import { LAYERS } from '../quotas.ts';
import type { LayerReference, LayerVersion } from '../records.ts';
import { layerType, layerVersionType } from '../resources.ts';
import type { LambdaState } from '../state.ts';
import { isForeignLayer, withoutContent } from './public-layers.ts';

/** Returns the ARN of a layer version, from the layer's name or ARN. */
export function layerVersionArn(LayerName: string, version: number, state: LambdaState): string {
  const { key, place } = layerType.identify({ LayerName }, state)!;
  return layerVersionType.arn({ ...key, version: String(version) }, place);
}

/** Returns the layer version of an ARN in any account; undefined if missing. */
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
 * Returns the layers of a function. Without enforced permissions, layers of other accounts that emu lacks have no
 * content: they may be public.
 * @param principal ARN of the caller, for the message about another account's layer without permission
 * @param codeSize size of the function's own files in bytes
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
  if (arns.length > most) throw invalidParameterValue(`Cannot reference more than ${most} layers.`);
  const byLayer = new Map<string, string>();
  const references = arns.map((arn) => {
    const region = parseArn(arn)?.region;
    if (region !== state.region)
      throw invalidParameterValue(
        `Layers are not in the same region as the function. Layers are expected to be in region ${state.region}.`,
      );
    const found = findLayerVersion(arn, state);
    const contentless = !found && withoutContent(arn, state);
    if (!contentless && !isReadable(found, arn, state)) throw accessDenied('GetLayerVersion', principal, arn);
    if (!found && !contentless) throw invalidParameterValue(`Layer version ${arn} does not exist.`);
    const layerArn = arn.slice(0, arn.lastIndexOf(':'));
    const other = byLayer.get(layerArn);
    if (other !== undefined)
      throw invalidParameterValue(
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
 * Rejects a function whose files and layers exceed the size limit.
 * @throws AwsError `InvalidParameterValueException`
 */
export function checkTotalSize(layers: readonly { readonly unzippedSize: number }[], codeSize: number): void {
  if (!layers.length) return;
  const total = totalSize(layers, codeSize);
  if (total > LIMITS.unzippedSize)
    throw invalidParameterValue(
      `Function code combined with layers exceeds the maximum allowed size of ${LIMITS.unzippedSize} bytes. The actual size is ${total} bytes.`,
    );
}

/** Returns the size of a function's files, including those of its layers, in bytes. */
export const totalSize = (layers: readonly { readonly unzippedSize: number }[], codeSize: number): number =>
  layers.reduce((sum, { unzippedSize }) => sum + unzippedSize, codeSize);

/** Returns AWS's error for another account's layer that is not shared. */
export const accessDenied = (action: 'GetLayerVersion' | 'ListLayerVersions', principal: string, arn: string) =>
  plainError(
    'AccessDeniedException',
    `User: ${principal} is not authorized to perform: lambda:${action} on resource: ${arn} because no resource-based policy allows the lambda:${action} action`,
    { status: 403 },
  );

/**
 * Whether the account of a state may read a layer version: its own, or one shared with it. Missing layers of other
 * accounts, including AWS's public ones, are treated like unshared ones, so that their existence is not revealed.
 * @param found result of `findLayerVersion`
 */
export const isReadable = (
  found: { owner: LambdaState; layer: LayerVersion } | undefined,
  arn: string,
  { accountId }: LambdaState,
): boolean => (found ? allows(found.layer, accountId, found.owner) : !isForeignLayer(arn, accountId));

/** Whether an account may use a layer version: its own, or one shared with it or with everybody. */
function allows(layer: LayerVersion, accountId: string, owner: LambdaState): boolean {
  if (owner.accountId === accountId) return true;
  return (layer.policy?.statements ?? []).some(({ Principal }) => {
    const aws = typeof Principal === 'string' ? Principal : Principal.AWS;
    return aws === '*' || aws === accountId || parseArn(aws ?? '')?.accountId === accountId;
  });
}
