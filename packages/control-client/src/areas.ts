import type { AcmControl } from './routes/acm.ts';
import type { ApiGatewayControl } from './routes/apigateway.ts';
import type { ApiGatewayV2Control } from './routes/apigatewayv2.ts';
import type { ApplicationAutoscalingControl } from './routes/application-autoscaling.ts';
import type { AthenaControl } from './routes/athena.ts';
import type { BedrockControl } from './routes/bedrock.ts';
import type { BedrockAgentControl, BedrockAgentRuntimeControl } from './routes/bedrock-agent.ts';
import type { CloudFrontControl } from './routes/cloudfront.ts';
import type { CloudWatchControl } from './routes/cloudwatch.ts';
import type { CognitoControl } from './routes/cognito.ts';
import type { DynamoDbControl } from './routes/dynamodb.ts';
import type { Ec2Control } from './routes/ec2.ts';
import type { EcrControl } from './routes/ecr.ts';
import type { EcsControl } from './routes/ecs.ts';
import type { ElastiCacheControl } from './routes/elasticache.ts';
import type { ElbV2Control } from './routes/elbv2.ts';
import type { EventsControl } from './routes/events.ts';
import type { FirehoseControl } from './routes/firehose.ts';
import type { GlueControl } from './routes/glue.ts';
import type { KmsControl } from './routes/kms.ts';
import type { LambdaControl } from './routes/lambda.ts';
import type { LogsControl } from './routes/logs.ts';
import type { OrganizationsControl } from './routes/organizations.ts';
import type { RdsControl } from './routes/rds.ts';
import type { Route53Control } from './routes/route53.ts';
import type { S3Control } from './routes/s3.ts';
import type { SchedulerControl } from './routes/scheduler.ts';
import type { SecretsManagerControl } from './routes/secretsmanager.ts';
import type { ServiceQuotasControl } from './routes/service-quotas.ts';
import type { SesControl } from './routes/ses.ts';
import type { SnsControl } from './routes/sns.ts';
import type { SqsControl } from './routes/sqs.ts';
import type { SsmControl } from './routes/ssm.ts';
import type { StepFunctionsControl } from './routes/stepfunctions.ts';
import type { WafV2Control } from './routes/wafv2.ts';

/** Clients of the services' control routes. */
export interface Areas {
  /** ACM. */
  readonly acm: AcmControl;
  /** REST APIs of API Gateway. */
  readonly apigateway: ApiGatewayControl;
  /** API Gateway v2. */
  readonly apigatewayv2: ApiGatewayV2Control;
  /** Application Auto Scaling. */
  readonly applicationAutoscaling: ApplicationAutoscalingControl;
  /** Athena. */
  readonly athena: AthenaControl;
  /** Bedrock. */
  readonly bedrock: BedrockControl;
  /** Agents for Bedrock. */
  readonly bedrockAgent: BedrockAgentControl;
  /** The runtime of Agents for Bedrock. */
  readonly bedrockAgentRuntime: BedrockAgentRuntimeControl;
  /** CloudFront. */
  readonly cloudfront: CloudFrontControl;
  /** CloudWatch. */
  readonly cloudwatch: CloudWatchControl;
  /** Cognito user pools. */
  readonly cognito: CognitoControl;
  /** DynamoDB. */
  readonly dynamodb: DynamoDbControl;
  /** EC2. */
  readonly ec2: Ec2Control;
  /** ECR. */
  readonly ecr: EcrControl;
  /** ECS. */
  readonly ecs: EcsControl;
  /** ElastiCache. */
  readonly elasticache: ElastiCacheControl;
  /** Elastic Load Balancing v2. */
  readonly elbv2: ElbV2Control;
  /** EventBridge. */
  readonly events: EventsControl;
  /** Data Firehose. */
  readonly firehose: FirehoseControl;
  /** Glue. */
  readonly glue: GlueControl;
  /** KMS. */
  readonly kms: KmsControl;
  /** Lambda. */
  readonly lambda: LambdaControl;
  /** CloudWatch Logs. */
  readonly logs: LogsControl;
  /** Organizations. */
  readonly organizations: OrganizationsControl;
  /** RDS. */
  readonly rds: RdsControl;
  /** Route 53. */
  readonly route53: Route53Control;
  /** S3. */
  readonly s3: S3Control;
  /** EventBridge Scheduler. */
  readonly scheduler: SchedulerControl;
  /** Secrets Manager. */
  readonly secretsmanager: SecretsManagerControl;
  /** Service Quotas. */
  readonly serviceQuotas: ServiceQuotasControl;
  /** SES. */
  readonly ses: SesControl;
  /** SNS. */
  readonly sns: SnsControl;
  /** SQS. */
  readonly sqs: SqsControl;
  /** Systems Manager. */
  readonly ssm: SsmControl;
  /** Step Functions. */
  readonly stepfunctions: StepFunctionsControl;
  /** WAF v2. */
  readonly wafv2: WafV2Control;
}
