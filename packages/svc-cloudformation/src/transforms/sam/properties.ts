import { isObject } from '@emu/wire';
import { resourceProblem } from './errors.ts';
import type { Obj, Resource } from './values.ts';

/**
 * Kind of a property: `literal` is a flag that must not be an intrinsic function, `any` is checked by the translator.
 */
type Kind = 'map' | 'text' | 'list' | 'flag' | 'literal' | 'any';

const kinds = (kind: Kind, names: string): [string, Kind][] => names.split(' ').map((name) => [name, kind]);
const type = (...groups: [string, Kind][][]): ReadonlyMap<string, Kind> => new Map(groups.flat());

/**
 * Properties of each type; others are rejected.
 * @see https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-specification-resources-and-properties.html
 */
const PROPERTIES: Readonly<Record<string, ReadonlyMap<string, Kind>>> = {
  'AWS::Serverless::Api': type(
    kinds('any', 'AccessLogSetting AlwaysDeploy ApiKeySourceType Auth BinaryMediaTypes CacheClusterEnabled'),
    kinds('any', 'CacheClusterSize CanarySetting Cors DefinitionBody DefinitionUri Description Domain'),
    kinds('any', 'EndpointAccessMode EndpointConfiguration GatewayResponses MethodSettings MinimumCompressionSize'),
    kinds('any', 'Mode Models Name Policy PropagateTags SecurityPolicy StageName Tags TracingEnabled Variables'),
    kinds('flag', 'DisableExecuteApiEndpoint FailOnWarnings MergeDefinitions'),
    kinds('text', 'OpenApiVersion'),
  ),
  'AWS::Serverless::Application': type(kinds('any', 'Location NotificationARNs Parameters Tags TimeoutInMinutes')),
  'AWS::Serverless::CapacityProvider': type(
    kinds('any', 'CapacityProviderName InstanceRequirements KmsKeyArn OperatorRole PropagateTags ScalingConfig'),
    kinds('any', 'Tags VpcConfig'),
  ),
  'AWS::Serverless::Connector': type(kinds('any', 'Destination Permissions Source')),
  'AWS::Serverless::Function': type(
    kinds('any', 'Architectures AssumeRolePolicyDocument AutoPublishAlias AutoPublishCodeSha256'),
    kinds(
      'any',
      'CapacityProviderConfig CodeSigningConfigArn CodeUri DeadLetterQueue DeploymentPreference Description',
    ),
    kinds('any', 'DurableConfig Environment EphemeralStorage EventInvokeConfig FileSystemConfigs FunctionName'),
    kinds('any', 'FunctionScalingConfig FunctionUrlConfig Handler ImageConfig ImageUri InlineCode KmsKeyArn'),
    kinds('any', 'LoggingConfig MemorySize PackageType PermissionsBoundary Policies PropagateTags'),
    kinds('any', 'ProvisionedConcurrencyConfig PublishToLatestPublished RecursiveLoop ReservedConcurrentExecutions'),
    kinds(
      'any',
      'RolePath Runtime RuntimeManagementConfig SnapStart SourceKMSKeyArn Tags TenancyConfig Timeout Tracing',
    ),
    kinds('any', 'VersionDeletionPolicy VersionDescription VpcConfig Events'),
    kinds('literal', 'AutoPublishAliasAllProperties'),
    kinds('list', 'Layers'),
    kinds('text', 'Role'),
  ),
  'AWS::Serverless::HttpApi': type(
    kinds('any', 'Auth CorsConfiguration DefinitionBody DefinitionUri Description Domain FailOnWarnings Name'),
    kinds('any', 'PropagateTags StageName StageVariables Tags'),
    kinds('flag', 'DisableExecuteApiEndpoint'),
    kinds('map', 'AccessLogSettings DefaultRouteSettings RouteSettings'),
  ),
  'AWS::Serverless::LayerVersion': type(
    kinds('any', 'ContentUri Description LayerName PublishLambdaVersion RetentionPolicy'),
    kinds('list', 'CompatibleArchitectures CompatibleRuntimes'),
    kinds('text', 'LicenseInfo'),
  ),
  'AWS::Serverless::SimpleTable': type(
    kinds('any', 'PointInTimeRecoverySpecification PrimaryKey ProvisionedThroughput SSESpecification TableName Tags'),
  ),
  'AWS::Serverless::StateMachine': type(
    kinds('any', 'AutoPublishAlias Definition DefinitionSubstitutions DefinitionUri DeploymentPreference Events'),
    kinds('any', 'Logging Name PermissionsBoundary Policies PropagateTags Role RolePath Tags Tracing Type'),
    kinds('any', 'UseAliasAsEventTarget EncryptionConfiguration'),
  ),
  'AWS::Serverless::WebSocketApi': type(
    kinds('any', 'ApiKeySelectionExpression Auth Description DisableExecuteApiEndpoint DisableSchemaValidation'),
    kinds('any', 'Domain IpAddressType Name PropagateTags RouteSelectionExpression Routes StageName StageVariables'),
    kinds('any', 'AccessLogSettings DefaultRouteSettings RouteSettings Tags'),
  ),
};

const isCall = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 1;

const CHECKS: Readonly<Record<Exclude<Kind, 'any'>, (value: unknown) => boolean>> = {
  flag: (value) => typeof value === 'boolean',
  list: Array.isArray,
  literal: (value) => typeof value === 'boolean',
  map: isObject,
  text: (value) => typeof value === 'string',
};

const PLAIN: Readonly<Record<string, string>> = { map: 'map', text: 'string' };

/**
 * Rejects unknown or wrongly typed properties of a SAM type.
 * @throws SamProblem
 */
export function checkProperties(id: string, { Type, Properties }: Resource): void {
  const known = PROPERTIES[Type];
  if (!known || !isObject(Properties)) return;
  for (const name of Object.keys(Properties))
    if (!known.has(name)) throw resourceProblem(id, `property ${name} not defined for resource of type ${Type}`);
  for (const [name, value] of Object.entries(Properties as Obj)) {
    const kind = known.get(name)!;
    if (
      kind === 'any' ||
      value === undefined ||
      value === null ||
      (kind !== 'literal' && isCall(value)) ||
      CHECKS[kind](value)
    )
      continue;
    throw resourceProblem(
      id,
      PLAIN[kind] ? `Property '${name}' should be a ${PLAIN[kind]}.` : `Type of property '${name}' is invalid.`,
    );
  }
}
