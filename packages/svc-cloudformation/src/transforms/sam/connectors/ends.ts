import { asString, isObject } from '@emu/wire';
import { resourceProblem } from '../errors.ts';
import type { Translation } from '../translation.ts';
import { getAtt, type Obj, type Resource, ref } from '../values.ts';

/** Known properties of one end of a connector. */
export interface End {
  /** Logical id; undefined for an end given by properties. */
  readonly id: string | undefined;
  readonly type: string;
  readonly arn?: unknown;
  readonly roleName?: unknown;
  readonly queueUrl?: unknown;
  readonly resourceId?: unknown;
  readonly name?: unknown;
  readonly qualifier?: unknown;
}

/** Translated types, for ends given by properties. */
const TRANSLATED: Readonly<Record<string, string>> = {
  'AWS::Serverless::Api': 'AWS::ApiGateway::RestApi',
  'AWS::Serverless::Function': 'AWS::Lambda::Function',
  'AWS::Serverless::HttpApi': 'AWS::ApiGatewayV2::Api',
  'AWS::Serverless::SimpleTable': 'AWS::DynamoDB::Table',
  'AWS::Serverless::StateMachine': 'AWS::StepFunctions::StateMachine',
};

const API = (id: string) => ({ resourceId: ref(id), qualifier: '*' });
const ARN = (id: string) => ({ arn: getAtt(id, 'Arn') });

/** Properties of a template resource by id. */
const KNOWN: Readonly<Record<string, (id: string) => Partial<End>>> = {
  'AWS::ApiGateway::RestApi': API,
  'AWS::ApiGatewayV2::Api': API,
  'AWS::AppSync::DataSource': (id) => ({ arn: getAtt(id, 'DataSourceArn') }),
  'AWS::AppSync::GraphQLApi': (id) => ({ resourceId: getAtt(id, 'ApiId') }),
  'AWS::DynamoDB::Table': ARN,
  'AWS::Events::EventBus': ARN,
  'AWS::Events::Rule': ARN,
  'AWS::Lambda::Function': ARN,
  'AWS::Location::PlaceIndex': ARN,
  'AWS::S3::Bucket': ARN,
  'AWS::SNS::Topic': (id) => ({ arn: ref(id) }),
  'AWS::SQS::Queue': (id) => ({ arn: getAtt(id, 'Arn'), queueUrl: ref(id) }),
  'AWS::StepFunctions::StateMachine': (id) => ({ arn: ref(id), name: getAtt(id, 'Name') }),
};

/** Role property of a resource. */
const ROLES: Readonly<Record<string, string>> = {
  'AWS::AppSync::DataSource': 'ServiceRoleArn',
  'AWS::Lambda::Function': 'Role',
  'AWS::StepFunctions::StateMachine': 'RoleArn',
};

/** Returns the id of the resource that a value refers to. */
export function referredId(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  if (typeof value.Ref === 'string') return value.Ref;
  const path = value['Fn::GetAtt'];
  const id = Array.isArray(path) ? path[0] : typeof path === 'string' ? path.split('.')[0] : undefined;
  return asString(id);
}

/**
 * Parses one end of a connector.
 * @param other the opposite end, which is the target of a rule
 * @throws SamProblem
 */
export function endOf(connector: string, given: Obj, other: Obj, to: Translation): End {
  const problem = (text: string) => resourceProblem(connector, text);
  const others = Object.keys(given).some((name) => name !== 'Id' && name !== 'Qualifier');
  if (Object.hasOwn(given, 'Id') === others)
    throw problem("Must provide 'Id' (with optional 'Qualifier') or a supported combination of other properties.");
  const { Id: id } = given;
  if (!id) {
    if (!given.Type || typeof given.Type !== 'string') throw problem("'Type' is missing or not a string.");
    return {
      id: undefined,
      type: TRANSLATED[given.Type] ?? given.Type,
      arn: given.Arn,
      roleName: given.RoleName,
      queueUrl: given.QueueUrl,
      resourceId: given.ResourceId,
      name: given.Name,
      qualifier: given.Qualifier,
    };
  }
  if (typeof id !== 'string') throw problem("'Id' is missing or not a string.");
  const resource = to.output[id];
  if (!resource) throw problem(`Unable to find resource with logical ID '${id}'.`);
  const { Type: type } = resource;
  if (!type || typeof type !== 'string') throw problem("'Type' is missing or not a string.");
  const role = referredId(roleOf(resource, other));
  return {
    id,
    type,
    ...KNOWN[type]?.(id),
    ...(role !== undefined && { roleName: ref(role) }),
    ...(Object.hasOwn(given, 'Qualifier') && { qualifier: given.Qualifier }),
  };
}

function roleOf({ Type, Properties }: Resource, other: Obj): unknown {
  const properties = isObject(Properties) ? Properties : {};
  if (Type !== 'AWS::Events::Rule') return Object.hasOwn(ROLES, Type) ? properties[ROLES[Type]!] : undefined;
  for (const target of Array.isArray(properties.Targets) ? properties.Targets.filter(isObject) : []) {
    const id = referredId(target.Arn);
    const isSame = other.Arn !== undefined && JSON.stringify(other.Arn) === JSON.stringify(target.Arn);
    if ((id !== undefined && id === other.Id) || isSame) return target.RoleArn;
  }
  return undefined;
}
