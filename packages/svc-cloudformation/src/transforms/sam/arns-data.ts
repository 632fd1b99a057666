/** The partition as templates name it. */
export const PARTITION = `\${AWS::Partition}`;

const HERE = `\${AWS::Region}:\${AWS::AccountId}`;

/** A policy that AWS manages. @param name with its path */
export const managedPolicy = (partition: string, name: string): string => `arn:${partition}:iam::aws:policy/${name}`;

/** Every user, as whom an API calls its functions that passes its callers on. */
export const CALLERS = 'arn:aws:iam::*:user/*';

/** How an API invokes a function. @param name the variable that stands for its ARN @param streams whether its answer is */
export const invocations = (partition: string, name: string, streams = false): string => {
  const [version, called] = streams ? ['2021-11-15', 'response-streaming-invocations'] : ['2015-03-31', 'invocations'];
  return `arn:${partition}:apigateway:\${AWS::Region}:lambda:path/${version}/functions/\${${name}}/${called}`;
};

/** How an API starts executions of state machines. */
export const EXECUTIONS = `arn:${PARTITION}:apigateway:\${AWS::Region}:states:action/StartExecution`;

/** Requests to a stage of an API. @param request method and path */
export const requests = (partition: string, request: string): string =>
  `arn:${partition}:execute-api:${HERE}:\${__ApiId__}/\${__Stage__}/${request}`;

/** The authorizers of an API. */
export const authorizers = (partition: string): string =>
  `arn:${partition}:execute-api:${HERE}:\${__ApiId__}/authorizers/*`;

/** A log group of the stack's account and region. */
export const logGroup = (partition: string): string => `arn:${partition}:logs:${HERE}:log-group:\${__LogGroupName__}:*`;

/** A rule of AWS IoT. */
export const iotRule = (partition: string): string => `arn:${partition}:iot:${HERE}:rule/\${RuleName}`;

/** A key of the stack's account and region. */
export const kmsKey = (id: unknown): string => `arn:${PARTITION}:kms:${HERE}:key/${id}`;

/** A resource of RDS. */
export const rds = (resource: string): string => `arn:${PARTITION}:rds:${HERE}:${resource}`;

/** Messages of a route of a WebSocket API. @param id the API's id in the template @param stage a name or a variable */
export const socketRequests = (id: string, stage: string, route: string): string =>
  `arn:${PARTITION}:execute-api:${HERE}:\${${id}.ApiId}/${stage}/${route}`;

/** The schemas of a registry of Glue. */
export const glueSchemas = (registry: string): string => `arn:${PARTITION}:glue:${HERE}:schema/${registry}/*`;
