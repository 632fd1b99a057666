import type { InputOf, OutputOf, PutParameterRequest } from '@emu/service-types/ssm';
import type { SsmContext } from '../../context.ts';
import { invalid, parameterNotFound, ssmError } from '../../errors.ts';
import { checkName, keyOfName, readSelection } from '../../parameters/names.ts';
import { readPolicies } from '../../parameters/policies.ts';
import { parameterKey, seal } from '../../parameters/sealing.ts';
import { currentVersion, type Version } from '../../parameters/table.ts';
import { checkDataType, checkLength, checkPattern, tierOf, typeOf, versionsWith } from '../../parameters/writing.ts';
import type { ParameterRecord, VersionRecord } from '../../records.ts';
import { defaultTier, MAX_STANDARD } from '../../settings.ts';
import { tagging } from '../../tags.ts';

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_PutParameter.html */
export async function PutParameter(input: InputOf<'PutParameter'>, ctx: SsmContext): Promise<OutputOf<'PutParameter'>> {
  const { state } = ctx;
  const { key: name, accountId, region } = readSelection(input.Name);
  const isOwn = (accountId || ctx.accountId) === ctx.accountId && (region || ctx.region) === ctx.region;
  const existing = isOwn ? state.parameters.get(name) : undefined;
  // The name of an existing parameter was validated at its creation. The ARN of another place is no name.
  if (!existing) checkName(isOwn && input.Name.startsWith('arn:') ? name : input.Name);
  if (input.Overwrite && input.Tags?.length)
    throw invalid(
      "Invalid request: tags and overwrite can't be used together. To create a parameter with tags, please remove overwrite flag. To update tags for an existing parameter, please use AddTagsToResource or RemoveTagsFromResource.",
    );
  if (existing && !input.Overwrite)
    throw ssmError(
      'ParameterAlreadyExists',
      'The parameter already exists. To overwrite this value, set the overwrite option in the request to true.',
    );
  const current = existing && currentVersion(existing);
  const version = newVersion(input, name, current, ctx);
  const { keyId } = version;
  if (keyId === undefined) version.value = input.Value;
  else version.sealed = await seal(input.Value, keyId, state.arnOf(name), version.tier === 'Advanced', ctx);
  // Another request may have written in the meantime.
  const latest = state.parameters.get(name);
  if (!latest !== !existing || (latest && currentVersion(latest).version !== current!.version))
    throw ssmError('TooManyUpdates', 'There are concurrent updates for a parameter of this name.');
  if (existing) {
    const { tags, written } = existing as ParameterRecord;
    state.parameters.put({
      name,
      ...(written !== undefined && { written }),
      versions: versionsWith(existing, version),
      tags,
    });
  } else {
    const written = input.Name === `/${name}` ? { written: input.Name } : {};
    state.parameters.put({ name, ...written, versions: [version], tags: tagging.merge(undefined, input.Tags) });
  }
  state.policyClock.watch(name);
  state.announceParameter(existing ? 'Update' : 'Create', name, { type: version.type }, ctx.requestId);
  return { Version: version.version, Tier: version.tier };
}

/**
 * Returns the new version of a request, without its value. Members missing in an overwriting request keep the previous
 * version's values.
 */
function newVersion(
  input: PutParameterRequest,
  name: string,
  current: Version | undefined,
  ctx: SsmContext,
): VersionRecord {
  const type = typeOf(input.Type, name, current);
  const tier = tierOf(input, current, defaultTier(ctx.state), ctx.state.parameters.standard >= MAX_STANDARD);
  checkLength(input.Value, tier);
  const dataType = input.DataType || (current?.dataType ?? 'text');
  checkDataType(dataType, name, input.Value);
  const allowedPattern = input.AllowedPattern ?? current?.allowedPattern;
  checkPattern(allowedPattern, input.Value);
  const now = Math.floor(ctx.clock.now());
  const policies =
    input.Policies === undefined
      ? (current?.policies ?? []).map((policy) => ({ ...policy }))
      : readPolicies(input.Policies, now);
  if (input.KeyId !== undefined && type !== 'SecureString')
    throw invalid('KeyId is only valid for parameters of type SecureString.');
  const keyId = type === 'SecureString' ? (input.KeyId ?? current?.keyId ?? parameterKey.managedAlias) : undefined;
  const description = input.Description ?? current?.description;
  // Built in place for performance: parameters may be written often, and spreading would copy repeatedly.
  const version: VersionRecord = {
    version: (current?.version ?? 0) + 1,
    type,
    dataType,
    tier,
    policies,
    labels: [],
    modifiedAt: now,
    modifiedBy: ctx.principal.arn,
  };
  if (keyId !== undefined) version.keyId = keyId;
  if (description !== undefined) version.description = description;
  if (allowedPattern !== undefined) version.allowedPattern = allowedPattern;
  return version;
}

/**
 * Deletes a parameter.
 * @returns false if it does not exist
 */
function deleteParameter(given: string, ctx: SsmContext): boolean {
  const { state } = ctx;
  const name = keyOfName(given);
  const parameter = state.parameters.get(name);
  if (!parameter) return false;
  const { type } = currentVersion(parameter);
  state.parameters.delete(name);
  state.policyClock.watch(name);
  state.announceParameter('Delete', name, { type }, ctx.requestId);
  return true;
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DeleteParameter.html */
export function DeleteParameter(input: InputOf<'DeleteParameter'>, ctx: SsmContext): OutputOf<'DeleteParameter'> {
  if (!deleteParameter(input.Name, ctx)) throw parameterNotFound();
  return {};
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DeleteParameters.html */
export function DeleteParameters(input: InputOf<'DeleteParameters'>, ctx: SsmContext): OutputOf<'DeleteParameters'> {
  const DeletedParameters: string[] = [];
  const InvalidParameters: string[] = [];
  for (const name of new Set(input.Names))
    (deleteParameter(name, ctx) ? DeletedParameters : InvalidParameters).push(name);
  return { DeletedParameters, InvalidParameters };
}
