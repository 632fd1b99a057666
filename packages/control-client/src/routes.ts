import type { AcmRoutes } from './routes/acm.ts';
import type { ApiGatewayRoutes } from './routes/apigateway.ts';
import type { ApiGatewayV2Routes } from './routes/apigatewayv2.ts';
import type { ApplicationAutoscalingRoutes } from './routes/application-autoscaling.ts';
import type { AthenaRoutes } from './routes/athena.ts';
import type { BedrockRoutes } from './routes/bedrock.ts';
import type { BedrockAgentRoutes } from './routes/bedrock-agent.ts';
import type { CloudFrontRoutes } from './routes/cloudfront.ts';
import type { CloudWatchRoutes } from './routes/cloudwatch.ts';
import type { CognitoRoutes } from './routes/cognito.ts';
import type { CoreRoutes } from './routes/core.ts';
import type { DynamoDbRoutes } from './routes/dynamodb.ts';
import type { Ec2Routes } from './routes/ec2.ts';
import type { EcrRoutes } from './routes/ecr.ts';
import type { EcsRoutes } from './routes/ecs.ts';
import type { ElastiCacheRoutes } from './routes/elasticache.ts';
import type { ElbV2Routes } from './routes/elbv2.ts';
import type { EventsRoutes } from './routes/events.ts';
import type { FaultRoutes } from './routes/faults.ts';
import type { FirehoseRoutes } from './routes/firehose.ts';
import type { GlueRoutes } from './routes/glue.ts';
import type { KmsRoutes } from './routes/kms.ts';
import type { LambdaRoutes } from './routes/lambda.ts';
import type { LogsRoutes } from './routes/logs.ts';
import type { OrganizationsRoutes } from './routes/organizations.ts';
import type { RdsRoutes } from './routes/rds.ts';
import type { RequestRoutes } from './routes/requests.ts';
import type { Route53Routes } from './routes/route53.ts';
import type { S3Routes } from './routes/s3.ts';
import type { SchedulerRoutes } from './routes/scheduler.ts';
import type { SecretsManagerRoutes } from './routes/secretsmanager.ts';
import type { ServiceQuotasRoutes } from './routes/service-quotas.ts';
import type { SesRoutes } from './routes/ses.ts';
import type { SnsRoutes } from './routes/sns.ts';
import type { SqsRoutes } from './routes/sqs.ts';
import type { SsmRoutes } from './routes/ssm.ts';
import type { StateRoutes } from './routes/state.ts';
import type { StepFunctionsRoutes } from './routes/stepfunctions.ts';
import type { WafV2Routes } from './routes/wafv2.ts';

/**
 * Every control route: its method and path template, with the types of its `query`, its JSON `body` (both optional if
 * they can be omitted) and its `response`. A `response` of type `Uint8Array` or `string` stands for bytes or text
 * instead of JSON.
 */
export interface ControlRoutes
  extends CoreRoutes,
    FaultRoutes,
    RequestRoutes,
    StateRoutes,
    AcmRoutes,
    ApiGatewayRoutes,
    ApiGatewayV2Routes,
    ApplicationAutoscalingRoutes,
    AthenaRoutes,
    BedrockRoutes,
    BedrockAgentRoutes,
    CloudFrontRoutes,
    CloudWatchRoutes,
    CognitoRoutes,
    DynamoDbRoutes,
    Ec2Routes,
    EcrRoutes,
    EcsRoutes,
    ElastiCacheRoutes,
    ElbV2Routes,
    EventsRoutes,
    FirehoseRoutes,
    GlueRoutes,
    KmsRoutes,
    LambdaRoutes,
    LogsRoutes,
    OrganizationsRoutes,
    RdsRoutes,
    Route53Routes,
    S3Routes,
    SchedulerRoutes,
    SecretsManagerRoutes,
    ServiceQuotasRoutes,
    SesRoutes,
    SnsRoutes,
    SqsRoutes,
    SsmRoutes,
    StepFunctionsRoutes,
    WafV2Routes {}

/** Name of a control route: method, space, path template, e.g. `GET /_emulator/sqs/messages`. */
export type ControlRouteName = keyof ControlRoutes;

/** Names of the HTTP routes. The others are WebSockets. */
export type HttpRouteName = Exclude<ControlRouteName, `WS ${string}`>;

/** A route's HTTP method. */
export type ControlMethod<Name extends ControlRouteName> = Name extends `${infer Method} ${string}` ? Method : never;

/** A route's path template, e.g. `/_emulator/sqs/{queue_name}/force-dlq`. */
export type ControlPath<Name extends ControlRouteName> = Name extends `${string} ${infer Path}` ? Path : never;

/** Names of the parameters in a path template. */
export type PathParameterNames<Path extends string> = Path extends `${string}{${infer Parameter}}${infer Rest}`
  ? Parameter | PathParameterNames<Rest>
  : never;

/** A route's path parameters, decoded. */
export type ControlParams<Name extends ControlRouteName> = { [Parameter in PathParameterNames<Name>]: string };

/** A part of a route; undefined if the route lacks it. */
type Part<Name extends ControlRouteName, Key extends 'query' | 'body'> = Key extends keyof ControlRoutes[Name]
  ? ControlRoutes[Name][Key]
  : undefined;

/** A route's query. Includes `undefined` if it is optional; only `undefined` if the route has none. */
export type ControlQuery<Name extends ControlRouteName> = Part<Name, 'query'>;

/** A route's JSON body. Includes `undefined` if it is optional; only `undefined` if the route has none. */
export type ControlBody<Name extends ControlRouteName> = Part<Name, 'body'>;

/** Response of a route with a status below 400. */
export type ControlResult<Name extends ControlRouteName> = ControlRoutes[Name]['response'];

/** Names of the routes with a response type. */
export type RoutesAnswering<Answer> = {
  [Name in HttpRouteName]: ControlResult<Name> extends Answer ? Name : never;
}[HttpRouteName];

/** Names of the routes with a JSON response. */
export type JsonRouteName = Exclude<HttpRouteName, RoutesAnswering<string | Uint8Array>>;
