import { defined, defineProvider, identifierOf, identifierParts, run, unless } from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { layerVersionType } from '../resources.ts';

const GONE = 'ResourceNotFoundException';

interface PermissionProperties {
  Action: string;
  FunctionName: string;
  Principal: string;
  [member: string]: unknown;
}

interface LayerPermissionProperties {
  Action: string;
  LayerVersionArn: string;
  OrganizationId?: string;
  Principal: string;
}

type Conditions = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Statement {
  Sid: string;
  Action: string;
  Principal: string | { Service?: string; AWS?: string };
  Condition?: Conditions;
}

/** Condition keys in statements of AddPermission, by property. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  EventSourceToken: ['lambda:EventSourceToken'],
  FunctionUrlAuthType: ['lambda:FunctionUrlAuthType'],
  InvokedViaFunctionUrl: ['lambda:InvokedViaFunctionUrl'],
  PrincipalOrgID: ['aws:PrincipalOrgID'],
  SourceAccount: ['AWS:SourceAccount', 'aws:SourceAccount'],
  SourceArn: ['AWS:SourceArn', 'aws:SourceArn'],
};

/** Returns the statement with an id in a policy; undefined if missing. */
function statementOf(policy: string | undefined, id: string): Statement | undefined {
  if (policy === undefined) return undefined;
  return (JSON.parse(policy) as { Statement: readonly Statement[] }).Statement.find(({ Sid }) => Sid === id);
}

/** An account's root user is stored by its ARN, whichever form was given. */
function principalOf({ Principal }: Statement): string {
  const named = typeof Principal === 'string' ? Principal : (Principal.Service ?? Principal.AWS ?? '*');
  return /:iam::(\d{12}):root$/.exec(named)?.[1] ?? named;
}

function conditionsOf({ Condition = {} }: Statement): Record<string, unknown> {
  const values = Object.assign({}, ...Object.values(Condition)) as Record<string, string>;
  const found = Object.entries(KEYS).map(([property, keys]): [string, unknown] => {
    const text = keys.map((key) => values[key]).find((value) => value !== undefined);
    return [property, property === 'InvokedViaFunctionUrl' && text !== undefined ? String(text) === 'true' : text];
  });
  return defined(Object.fromEntries(found));
}

const functionPolicy = async (FunctionName: string, ctx: ProviderContext) =>
  (await unless(run(ctx, 'lambda', 'GetPolicy', { FunctionName }), GONE))?.Policy;

/**
 * Statements of function policies.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-permission.html
 */
export const permission: AnyResourceProvider = defineProvider<PermissionProperties>({
  typeName: 'AWS::Lambda::Permission',
  model,
  handles: ['Action', 'FunctionName', 'Principal', ...Object.keys(KEYS)],

  async create(properties, ctx) {
    const StatementId = ctx.name({ max: 100 });
    await run(ctx, 'lambda', 'AddPermission', { ...properties, StatementId });
    return { identifier: identifierOf(properties.FunctionName, StatementId), attributes: { Id: StatementId } };
  },

  async read(identifier, ctx) {
    const [FunctionName, Id] = identifierParts(identifier, 2) as [string, string];
    const statement = statementOf(await functionPolicy(FunctionName, ctx), Id);
    if (!statement) return undefined;
    const { Action } = statement;
    return {
      properties: { Action, FunctionName, Principal: principalOf(statement), ...conditionsOf(statement) },
      attributes: { Id },
    };
  },

  async delete(identifier, _properties, ctx) {
    const [FunctionName, StatementId] = identifierParts(identifier, 2) as [string, string];
    await unless(run(ctx, 'lambda', 'RemovePermission', { FunctionName, StatementId }), GONE);
  },
});

/** Returns the input of operations on a statement of a layer version. */
function layerStatement(identifier: string) {
  const [arn, StatementId] = identifier.split('#') as [string, string];
  const { name, version } = layerVersionType.parse(arn)!.key;
  const { accountId, region } = layerVersionType.parse(arn)!.place;
  return { arn, StatementId, at: { LayerName: name, VersionNumber: Number(version) }, options: { accountId, region } };
}

/**
 * Statements of layer version policies.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-layerversionpermission.html
 */
export const layerVersionPermission: AnyResourceProvider = defineProvider<LayerPermissionProperties>({
  typeName: 'AWS::Lambda::LayerVersionPermission',
  model,
  handles: ['Action', 'LayerVersionArn', 'OrganizationId', 'Principal'],

  async create({ LayerVersionArn, ...properties }, ctx) {
    const identifier = `${LayerVersionArn}#${ctx.name({ max: 100 })}`;
    const { at, StatementId } = layerStatement(identifier);
    await run(ctx, 'lambda', 'AddLayerVersionPermission', { ...at, StatementId, ...properties });
    return { identifier, attributes: { Id: identifier } };
  },

  async read(identifier, ctx) {
    const { arn, at, StatementId, options } = layerStatement(identifier);
    const found = await unless(ctx.call('lambda', 'GetLayerVersionPolicy', at, options), GONE);
    const statement = statementOf(found?.Policy, StatementId);
    if (!statement) return undefined;
    const OrganizationId = conditionsOf(statement).PrincipalOrgID as string | undefined;
    return {
      properties: defined({
        Action: statement.Action,
        LayerVersionArn: arn,
        OrganizationId,
        Principal: principalOf(statement),
      }) as LayerPermissionProperties,
      attributes: { Id: identifier },
    };
  },

  async delete(identifier, _properties, ctx) {
    const { at, StatementId, options } = layerStatement(identifier);
    await unless(ctx.call('lambda', 'RemoveLayerVersionPermission', { ...at, StatementId }, options), GONE);
  },
});
