import type { Parameter as DescribedParameter, InputOf, OutputOf } from '@emu/service-types/ssm';
import { AwsError } from '@emu/wire';
import type { SsmContext } from '../../context.ts';
import { invalid, parameterNotFound, versionNotFound } from '../../errors.ts';
import { findParameter, type ParameterTarget, parameterAt, versionOf } from '../../lookup.ts';
import { paging } from '../../paging.ts';
import { parameterFilter } from '../../parameters/filters.ts';
import { isPath, PATH_REQUIREMENTS, readReference, SECRET_PREFIX, type Selection } from '../../parameters/names.ts';
import { describePolicies } from '../../parameters/policies.ts';
import { isPublic, type PublicParameter, publicBelow, publicParameter } from '../../parameters/public.ts';
import { ciphertextOf, open } from '../../parameters/sealing.ts';
import type { Version } from '../../parameters/table.ts';

/** Version ids of secrets, as opposed to stages. */
const VERSION_ID = /^[A-Za-z0-9-]{32,64}$/;
/** Default and maximum page size of GetParametersByPath. */
const PATH_PAGE = 10;

/** Returns the value of a version, decrypted on request. */
async function readValue({ sealed, value }: Version, arn: string, decrypt: boolean, ctx: SsmContext): Promise<string> {
  if (!sealed) return value!;
  return decrypt ? open(sealed, arn, ctx) : ciphertextOf(sealed);
}

/**
 * Describes a version. Unlike DescribeParameters, AWS keeps the slash before a name of a single level.
 * @param asked name in the request; the written one by default
 */
async function describe(
  { state, parameter: { name, written = name } }: ParameterTarget,
  version: Version,
  {
    decrypt,
    selector,
    asked = written,
  }: { decrypt: boolean; selector?: string | undefined; asked?: string | undefined },
  ctx: SsmContext,
): Promise<DescribedParameter> {
  const arn = state.arnOf(name);
  return {
    Name: asked,
    Type: version.type,
    Value: await readValue(version, arn, decrypt, ctx),
    Version: version.version,
    ...(selector !== undefined && { Selector: selector }),
    LastModifiedDate: new Date(version.modifiedAt),
    ARN: arn,
    DataType: version.dataType,
  };
}

/** Date of public parameters, whose real dates emu does not know. */
const PUBLISHED_AT = new Date('2025-01-01T00:00:00Z');

const describePublic = ({ name, value, dataType }: PublicParameter, ctx: SsmContext): DescribedParameter => ({
  Name: name,
  Type: 'String',
  Value: value,
  Version: 1,
  LastModifiedDate: PUBLISHED_AT,
  ARN: `${ctx.state.arnOf(name).replace(ctx.accountId, '')}`,
  DataType: dataType,
});

/**
 * Returns a Secrets Manager secret by the name after the path prefix. The selector is a version id or stage.
 * @throws AwsError `ParameterNotFound`
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/integration-ps-secretsmanager.html
 */
async function describeSecret(
  { key, selector }: Selection,
  decrypt: boolean,
  ctx: SsmContext,
): Promise<DescribedParameter> {
  if (!decrypt) throw invalid('WithDecryption flag must be True for retrieving a Secret Manager secret.');
  const version = selector?.slice(1);
  try {
    const secret = await ctx.call(
      'secretsmanager',
      'GetSecretValue',
      {
        SecretId: key.slice(SECRET_PREFIX.length),
        ...(version !== undefined && (VERSION_ID.test(version) ? { VersionId: version } : { VersionStage: version })),
      },
      { authorize: {} },
    );
    return {
      Name: key,
      Type: 'SecureString',
      Value: secret.SecretString ?? Buffer.from(secret.SecretBinary!).toString('base64'),
      Version: 0,
      ...(selector !== undefined && { Selector: selector }),
      SourceResult: JSON.stringify(secret),
      LastModifiedDate: secret.CreatedDate,
      ARN: secret.ARN,
    };
  } catch (error) {
    if (error instanceof AwsError && error.code === 'ResourceNotFoundException') throw parameterNotFound();
    throw error;
  }
}

/**
 * Returns the parameter for a name or ARN with optional selector.
 * @throws AwsError `ParameterNotFound`, `ParameterVersionNotFound`, `InvalidKeyId`, `ValidationException`
 */
async function read(text: string, decrypt: boolean, ctx: SsmContext): Promise<DescribedParameter> {
  const selection = readReference(text);
  if (selection.key.startsWith(SECRET_PREFIX)) return describeSecret(selection, decrypt, ctx);
  if (isPublic(selection.key)) {
    const found = await publicParameter(selection.key, ctx.region);
    if (!found) throw parameterNotFound();
    return describePublic(found, ctx);
  }
  const target = findParameter(selection, ctx);
  if (!target) throw parameterNotFound();
  const { selector, asked } = selection;
  const version = versionOf(target.parameter, selector);
  if (!version) throw versionNotFound(selector!.slice(1), target.parameter.name);
  return describe(target, version, { decrypt, selector, asked }, ctx);
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetParameter.html */
export async function GetParameter(input: InputOf<'GetParameter'>, ctx: SsmContext): Promise<OutputOf<'GetParameter'>> {
  return {
    Parameter: await read(input.Name, input.WithDecryption === true, ctx),
  };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetParameters.html */
export async function GetParameters(
  input: InputOf<'GetParameters'>,
  ctx: SsmContext,
): Promise<OutputOf<'GetParameters'>> {
  const Parameters: DescribedParameter[] = [];
  const InvalidParameters: string[] = [];
  for (const name of new Set(input.Names))
    try {
      Parameters.push(await read(name, input.WithDecryption === true, ctx));
    } catch (error) {
      if (!(error instanceof AwsError) || !/^Parameter(Version)?NotFound$/.test(error.code)) throw error;
      InvalidParameters.push(name);
    }
  return { Parameters, InvalidParameters };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetParametersByPath.html */
export async function GetParametersByPath(
  input: InputOf<'GetParametersByPath'>,
  ctx: SsmContext,
): Promise<OutputOf<'GetParametersByPath'>> {
  const { Recursive: recursive = false, MaxResults: limit = PATH_PAGE } = input;
  if (!isPath(input.Path)) throw invalid(PATH_REQUIREMENTS);
  const path = input.Path.replace(/(.)\/$/, '$1');
  const matches = parameterFilter(input.ParameterFilters ?? [], 'path');
  const after = paging.after('GetParametersByPath', input);
  if (isPublic(`${path}/`)) {
    const found = await publicBelow(path, { recursive, after, limit: limit + 1, region: ctx.region });
    const page = found.slice(0, limit);
    return {
      Parameters: page.map((parameter) => describePublic(parameter, ctx)),
      ...paging.next('GetParametersByPath', input, found.length > limit ? page.at(-1)!.name : undefined),
    };
  }
  const labels = input.ParameterFilters?.find(({ Key }) => Key === 'Label')?.Values;
  const { state } = ctx;
  const page: ParameterTarget[] = [];
  let more = false;
  for (const parameter of state.parameters.below(path, recursive, after)) {
    if (!matches(parameter)) continue;
    if (page.length === limit) {
      more = true;
      break;
    }
    page.push({ state, parameter });
  }
  const Parameters: DescribedParameter[] = [];
  for (const target of page)
    for (const version of versionsIn(target, labels))
      Parameters.push(await describe(target, version, { decrypt: input.WithDecryption === true }, ctx));
  return {
    Parameters,
    ...paging.next('GetParametersByPath', input, more ? page.at(-1)!.parameter.name : undefined),
  };
}

/** Returns the versions with the given labels; without labels, the current version. */
function versionsIn({ parameter: { versions } }: ParameterTarget, labels: readonly string[] | undefined): Version[] {
  return labels
    ? versions.filter((version) => version.labels.some((label) => labels.includes(label)))
    : [versions.at(-1)!];
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetParameterHistory.html */
export async function GetParameterHistory(
  input: InputOf<'GetParameterHistory'>,
  ctx: SsmContext,
): Promise<OutputOf<'GetParameterHistory'>> {
  readReference(input.Name);
  const { state, parameter } = parameterAt(input.Name, ctx);
  const arn = state.arnOf(parameter.name);
  const key = ({ version }: Version): string => String(version).padStart(12, '0');
  const { items, next } = paging.page('GetParameterHistory', input, parameter.versions, key);
  const Parameters = [];
  for (const version of items)
    Parameters.push({
      Name: parameter.written ?? parameter.name,
      Type: version.type,
      ...(version.keyId !== undefined && { KeyId: version.keyId }),
      LastModifiedDate: new Date(version.modifiedAt),
      LastModifiedUser: version.modifiedBy,
      ...(version.description !== undefined && { Description: version.description }),
      Value: await readValue(version, arn, input.WithDecryption === true, ctx),
      ...(version.allowedPattern !== undefined && { AllowedPattern: version.allowedPattern }),
      Version: version.version,
      Labels: [...version.labels],
      Tier: version.tier,
      Policies: describePolicies(version.policies),
      DataType: version.dataType,
    });
  return { Parameters, ...next };
}
