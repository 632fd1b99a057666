/** Partition as templates write it. */
export const PARTITION = `\${AWS::Partition}`;

const HERE = `\${AWS::Region}:\${AWS::AccountId}`;

/**
 * Returns the AWS managed policy.
 * @param name with its path
 */
export const managedPolicy = (partition: string, name: string): string => `arn:${partition}:iam::aws:policy/${name}`;

/** All users, as credentials of an API that passes its caller's identity to functions. */
export const CALLERS = 'arn:aws:iam::*:user/*';

/**
 * Returns the ARN by which an API invokes a function.
 * @param name variable with the function's ARN
 * @param streams whether the response is streamed
 */
export const invocations = (partition: string, name: string, streams = false): string => {
  const [version, called] = streams ? ['2021-11-15', 'response-streaming-invocations'] : ['2015-03-31', 'invocations'];
  return `arn:${partition}:apigateway:\${AWS::Region}:lambda:path/${version}/functions/\${${name}}/${called}`;
};

/** ARN by which an API starts executions of state machines. */
export const EXECUTIONS = `arn:${PARTITION}:apigateway:\${AWS::Region}:states:action/StartExecution`;

/**
 * Returns the requests to a stage of an API.
 * @param request method and path
 */
export const requests = (partition: string, request: string): string =>
  `arn:${partition}:execute-api:${HERE}:\${__ApiId__}/\${__Stage__}/${request}`;

/** The authorizers of an API. */
export const authorizers = (partition: string): string =>
  `arn:${partition}:execute-api:${HERE}:\${__ApiId__}/authorizers/*`;

/** Returns a log group of the stack's account and region. */
export const logGroup = (partition: string): string => `arn:${partition}:logs:${HERE}:log-group:\${__LogGroupName__}:*`;

/** Returns a rule of AWS IoT. */
export const iotRule = (partition: string): string => `arn:${partition}:iot:${HERE}:rule/\${RuleName}`;

/** Returns a key of the stack's account and region. */
export const kmsKey = (id: unknown): string => `arn:${PARTITION}:kms:${HERE}:key/${id}`;

/** Returns a resource of RDS. */
export const rds = (resource: string): string => `arn:${PARTITION}:rds:${HERE}:${resource}`;

/**
 * Returns the messages of a route of a WebSocket API.
 * @param id logical id of the API
 * @param stage name or variable
 */
export const socketRequests = (id: string, stage: string, route: string): string =>
  `arn:${PARTITION}:execute-api:${HERE}:\${${id}.ApiId}/${stage}/${route}`;

/** Schemas of a Glue registry. */
export const glueSchemas = (registry: string): string => `arn:${PARTITION}:glue:${HERE}:schema/${registry}/*`;
