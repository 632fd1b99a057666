import type { CoreRoutes } from './routes/core.ts';
import type { FaultRoutes } from './routes/faults.ts';
import type { RequestRoutes } from './routes/requests.ts';
import type { StateRoutes } from './routes/state.ts';
import type { HttpRouteName } from './routes.ts';

/** A service's route in the client, without prefix. A WebSocket is requested with GET. */
type ServiceRoute =
  | (Exclude<HttpRouteName, OwnRoute> extends infer Name
      ? Name extends `${infer Method} /_emulator/${infer Path}`
        ? `${Method} ${Path}`
        : never
      : never)
  | 'GET apigatewayv2/ws/{api_id}'
  | 'GET dns/resolve';

/**
 * Control routes of services, by area, as `<method> <path below /_emulator/>`. Routes without a loaded service answer
 * 501, so that a client can distinguish missing support from an unknown route.
 */
export const SERVICE_ROUTES = {
  acm: [
    'POST acm/certificates/{arn_or_id}/status',
    'POST acm/certificates/{arn_or_id}/approve',
    'GET acm/certificates/{arn_or_id}/chain-info',
  ],
  apigateway: ['GET apigateway/urls'],
  apigatewayv2: [
    'GET apigatewayv2/requests',
    'GET apigatewayv2/connections',
    'GET apigatewayv2/urls',
    'GET apigatewayv2/ws/{api_id}',
    'GET apigatewayv2/domain-names/{name}/mtls-info',
  ],
  'application-autoscaling': ['POST application-autoscaling/tick', 'POST application-autoscaling/scheduled-tick'],
  athena: ['GET athena/named-queries'],
  bedrock: [
    'GET bedrock/invocations',
    'POST bedrock/models/{model_id}/response',
    'POST bedrock/models/{model_id}/responses',
    'DELETE bedrock/models/{model_id}/responses',
    'POST bedrock/faults',
    'GET bedrock/faults',
    'DELETE bedrock/faults',
  ],
  'bedrock-agent': ['GET bedrock-agent/agents'],
  'bedrock-agent-runtime': ['GET bedrock-agent-runtime/invocations'],
  cloudfront: ['GET cloudfront/distributions', 'POST cloudfront/distributions/{id}/status'],
  cloudwatch: ['GET cloudwatch/alarms', 'GET cloudwatch/metrics'],
  cognito: [
    'GET cognito/confirmation-codes',
    'GET cognito/confirmation-codes/{pool_id}/{username}',
    'POST cognito/confirm-user',
    'GET cognito/tokens',
    'POST cognito/expire-tokens',
    'GET cognito/auth-events',
    'POST cognito/authorization-codes',
    'POST cognito/compromised-passwords',
    'POST cognito/risk-levels',
    'POST cognito/software-token',
    'GET cognito/webauthn-credentials',
    'GET cognito/pretokengen/invocations',
  ],
  dynamodb: ['POST dynamodb/ttl-processor/tick', 'POST dynamodb/snapshot/save'],
  ec2: ['GET ec2/instances', 'GET ec2/instance-networks'],
  ecr: ['GET ecr/repositories', 'GET ecr/images', 'GET ecr/pull-through-rules'],
  ecs: [
    'GET ecs/clusters',
    'GET ecs/tasks',
    'GET ecs/tasks/{task_id}',
    'GET ecs/tasks/{task_id}/logs',
    'POST ecs/tasks/{task_id}/force-stop',
    'POST ecs/tasks/{task_id}/mark-failed',
    'GET ecs/events',
    'GET ecs/creds/{task_id}',
    'GET ecs/v3/{task_id}',
    'GET ecs/v4/{task_id}',
    'GET ecs/metadata/{task_arn}',
  ],
  elasticache: [
    'GET elasticache/clusters',
    'GET elasticache/replication-groups',
    'GET elasticache/serverless-caches',
    'GET elasticache/acls',
  ],
  elbv2: [
    'GET elbv2/load-balancers',
    'GET elbv2/target-groups',
    'GET elbv2/listeners',
    'GET elbv2/rules',
    'POST elbv2/access-logs/flush',
    'GET elbv2/waf-counts',
  ],
  events: ['GET events/history', 'POST events/fire-rule', 'POST events/endpoint-health'],
  firehose: ['GET firehose/delivery-streams'],
  glue: ['GET glue/jobs', 'GET glue/job-runs', 'GET glue/crawlers'],
  kms: ['GET kms/usage'],
  lambda: [
    'GET lambda/invocations',
    'GET lambda/logs',
    'GET lambda/warm-containers',
    'POST lambda/{function_name}/evict-container',
    'GET lambda/layer-content/{account_id}/{layer_name}/{file}',
    'GET lambda/function-code/{account_id}/{function_name}/{file}',
  ],
  logs: ['POST logs/anomalies/inject', 'GET logs/delivery-config', 'GET logs/field-indexes/{log_group_name}'],
  organizations: ['GET organizations/accounts', 'GET organizations/responsibility-transfers'],
  rds: ['GET rds/instances', 'POST rds/lambda-invoke', 'POST rds/s3-import', 'POST rds/s3-export'],
  route53: [
    'POST route53/health-checks/{id}/status',
    'GET route53/zones/{id}/dnssec',
    'POST route53/zones/{id}/dnssec/sign',
    'GET dns/resolve',
  ],
  s3: [
    'GET s3/notifications',
    'POST s3/lifecycle-processor/tick',
    'GET s3/access-points',
    'GET s3/object-lambda-responses',
  ],
  scheduler: ['GET scheduler/schedules', 'POST scheduler/fire/{group}/{name}'],
  secretsmanager: ['POST secretsmanager/rotation-scheduler/tick'],
  'service-quotas': [
    'GET service-quotas/quotas',
    'PUT service-quotas/quotas/{service}/{quota}',
    'DELETE service-quotas/quotas/{service}/{quota}',
    'GET service-quotas/enforcement',
    'PUT service-quotas/enforcement',
    'GET service-quotas/request-approval',
    'PUT service-quotas/request-approval',
    'GET service-quotas/requests',
    'POST service-quotas/requests/{id}/approve',
    'POST service-quotas/requests/{id}/deny',
  ],
  ses: [
    'GET ses/emails',
    'POST ses/inbound',
    'POST ses/account/sandbox',
    'POST ses/identities/{name}/mail-from-status',
    'GET ses/identities/{name}/dkim-public-key',
    'GET ses/metrics',
    'GET ses/bounces',
    'GET ses/messages/{message_id}/insights',
    'GET ses/smtp/submissions',
    'GET ses/event-destinations/deliveries',
  ],
  sns: [
    'GET sns/messages',
    'GET sns/pending-confirmations',
    'POST sns/confirm-subscription',
    'GET sns/sms',
    'POST sns/sms/opt-out',
    'GET sns/cert.pem',
  ],
  sqs: ['GET sqs/messages', 'POST sqs/expiration-processor/tick', 'POST sqs/{queue_name}/force-dlq'],
  ssm: [
    'POST ssm/commands/{command_id}/status',
    'POST ssm/commands/{command_id}/fail',
    'GET ssm/parameter-policy-events',
    'DELETE ssm/parameter-policy-events',
    'POST ssm/sessions/inject',
  ],
  stepfunctions: [
    'GET stepfunctions/executions',
    'GET stepfunctions/sync-executions',
    'GET stepfunctions/executions/{execution_arn}/tree',
    'POST stepfunctions/enqueue-activity-task',
  ],
  wafv2: ['POST wafv2/evaluate'],
} as const satisfies Readonly<Record<string, readonly ServiceRoute[]>>;

/** Path below which containers of tasks read their credentials, followed by the task's id: `GET ecs/creds/{task_id}`. */
export const TASK_CREDENTIALS = '/_emulator/ecs/creds/';

/** Routes that the gateway handles itself. */
type OwnRoute = keyof CoreRoutes | keyof FaultRoutes | keyof RequestRoutes | keyof StateRoutes;

type Listed = (typeof SERVICE_ROUTES)[keyof typeof SERVICE_ROUTES][number];
/** Fails to compile if a route of the client is missing from the list. */
const COMPLETE: Exclude<ServiceRoute, Listed> extends never ? true : never = true;
void COMPLETE;
