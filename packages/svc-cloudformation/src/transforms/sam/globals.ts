import { isObject } from '@emu/wire';
import { resourceProblem, SamProblem } from './errors.ts';
import { isIntrinsic, type Obj, type Resource } from './values.ts';

/** Types with global properties, by section name. */
const SECTIONS: Readonly<Record<string, string>> = {
  Api: 'AWS::Serverless::Api',
  CapacityProvider: 'AWS::Serverless::CapacityProvider',
  Function: 'AWS::Serverless::Function',
  HttpApi: 'AWS::Serverless::HttpApi',
  LayerVersion: 'AWS::Serverless::LayerVersion',
  SimpleTable: 'AWS::Serverless::SimpleTable',
  StateMachine: 'AWS::Serverless::StateMachine',
  WebSocketApi: 'AWS::Serverless::WebSocketApi',
};

/** Allowed global properties by section, in AWS's order. */
const GLOBAL: Readonly<Record<string, readonly string[]>> = {
  Api: [
    'Auth Name DefinitionUri CacheClusterEnabled CacheClusterSize MergeDefinitions Variables EndpointConfiguration',
    'MethodSettings BinaryMediaTypes MinimumCompressionSize Cors GatewayResponses AccessLogSetting CanarySetting',
    'TracingEnabled OpenApiVersion Domain AlwaysDeploy PropagateTags SecurityPolicy EndpointAccessMode',
  ].flatMap((names) => names.split(' ')),
  CapacityProvider: 'VpcConfig OperatorRole Tags InstanceRequirements ScalingConfig KmsKeyArn PropagateTags'.split(' '),
  Function: [
    'Handler Runtime CodeUri DeadLetterQueue Description MemorySize Timeout VpcConfig Environment Tags PropagateTags',
    'Tracing KmsKeyArn AutoPublishAlias AutoPublishAliasAllProperties Layers DeploymentPreference RolePath',
    'PermissionsBoundary ReservedConcurrentExecutions ProvisionedConcurrencyConfig AssumeRolePolicyDocument',
    'EventInvokeConfig FileSystemConfigs CodeSigningConfigArn Architectures SnapStart EphemeralStorage',
    'FunctionUrlConfig RuntimeManagementConfig LoggingConfig RecursiveLoop SourceKMSKeyArn TenancyConfig DurableConfig',
    'CapacityProviderConfig FunctionScalingConfig PublishToLatestPublished VersionDeletionPolicy',
  ].flatMap((names) => names.split(' ')),
  HttpApi: [
    'Auth AccessLogSettings StageVariables Tags CorsConfiguration DefaultRouteSettings Domain RouteSettings',
    'FailOnWarnings PropagateTags',
  ].flatMap((names) => names.split(' ')),
  LayerVersion: ['PublishLambdaVersion'],
  SimpleTable: ['SSESpecification'],
  StateMachine: ['PropagateTags'],
  WebSocketApi: [
    'AccessLogSettings ApiKeySelectionExpression DefaultRouteSettings DisableExecuteApiEndpoint',
    'DisableSchemaValidation Domain IpAddressType PropagateTags RouteSettings RouteSelectionExpression',
    'StageVariables Tags',
  ].flatMap((names) => names.split(' ')),
};

const listed = (names: readonly string[]): string => `['${names.join("', '")}']`;

const problem = (text: string): SamProblem => new SamProblem(`'Globals' section is invalid. ${text}`);

/**
 * Parses the section `Globals`: properties by type.
 * @throws SamProblem
 */
export function readGlobals(globals: unknown): ReadonlyMap<string, Obj> {
  const byType = new Map<string, Obj>();
  if (globals === undefined) return byType;
  if (!isObject(globals)) throw problem('It must be a non-empty dictionary');
  for (const [section, properties] of Object.entries(globals)) {
    const type = SECTIONS[section];
    if (type === undefined)
      throw problem(
        `'${section}' is not supported. Must be one of the following values - ${listed(Object.keys(SECTIONS))}`,
      );
    if (!isObject(properties)) throw problem(`Value of ${section} must be a dictionary`);
    const known = GLOBAL[section]!;
    for (const name of Object.keys(properties))
      if (!known.includes(name))
        throw problem(
          `'${name}' is not a supported property of '${section}'. Must be one of the following values - ${listed(known)}`,
        );
    byType.set(type, properties);
  }
  return byType;
}

/**
 * Merges the global properties of its type into a resource, except ignored ones.
 * @throws SamProblem
 */
export function withGlobals(id: string, resource: Resource, globals: ReadonlyMap<string, Obj>): Resource {
  const shared = globals.get(resource.Type);
  const { IgnoreGlobals: ignored, ...rest } = resource;
  if (!shared || ignored === '*') return rest as Resource;
  for (const name of Array.isArray(ignored) ? ignored : [])
    if (!Object.hasOwn(shared, name))
      throw resourceProblem(id, `Resource ${id} has invalid resource attribute 'IgnoreGlobals' on item '${name}'.`);
  const kept = Array.isArray(ignored)
    ? Object.fromEntries(Object.entries(shared).filter(([name]) => !ignored.includes(name)))
    : shared;
  return { ...rest, Properties: merge(kept, resource.Properties ?? {}) as Obj } as Resource;
}

/** Merges objects and concatenates lists; otherwise the resource's value takes precedence. */
function merge(shared: unknown, own: unknown): unknown {
  const whole = isIntrinsic(shared) || isIntrinsic(own);
  if (isObject(shared) && isObject(own) && !whole) {
    const merged: Obj = { ...(shared as Obj) };
    for (const [name, value] of Object.entries(own as Obj))
      merged[name] = Object.hasOwn(merged, name) ? merge(merged[name], value) : value;
    return merged;
  }
  if (Array.isArray(shared) && Array.isArray(own)) return [...shared, ...own];
  return own;
}
