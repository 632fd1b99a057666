import { AcmControl } from './clients/acm.ts';
import { ApiGatewayControl } from './clients/apigateway.ts';
import { ApiGatewayV2Control } from './clients/apigatewayv2.ts';
import { ApplicationAutoscalingControl } from './clients/application-autoscaling.ts';
import type { AreaControl } from './clients/area.ts';
import { AthenaControl } from './clients/athena.ts';
import { BedrockControl } from './clients/bedrock.ts';
import { BedrockAgentControl, BedrockAgentRuntimeControl } from './clients/bedrock-agent.ts';
import { CloudFrontControl } from './clients/cloudfront.ts';
import { CloudWatchControl } from './clients/cloudwatch.ts';
import { CognitoControl } from './clients/cognito.ts';
import { DynamoDbControl } from './clients/dynamodb.ts';
import { Ec2Control } from './clients/ec2.ts';
import { EcrControl } from './clients/ecr.ts';
import { EcsControl } from './clients/ecs.ts';
import { ElastiCacheControl } from './clients/elasticache.ts';
import { ElbV2Control } from './clients/elbv2.ts';
import { EventsControl } from './clients/events.ts';
import { FirehoseControl } from './clients/firehose.ts';
import { GlueControl } from './clients/glue.ts';
import { KmsControl } from './clients/kms.ts';
import { LambdaControl } from './clients/lambda.ts';
import { LogsControl } from './clients/logs.ts';
import { OrganizationsControl } from './clients/organizations.ts';
import { RdsControl } from './clients/rds.ts';
import { Route53Control } from './clients/route53.ts';
import { S3Control } from './clients/s3.ts';
import { SchedulerControl } from './clients/scheduler.ts';
import { SecretsManagerControl } from './clients/secretsmanager.ts';
import { ServiceQuotasControl } from './clients/service-quotas.ts';
import { SesControl } from './clients/ses.ts';
import { SnsControl } from './clients/sns.ts';
import { SqsControl } from './clients/sqs.ts';
import { SsmControl } from './clients/ssm.ts';
import { StepFunctionsControl } from './clients/stepfunctions.ts';
import { WafV2Control } from './clients/wafv2.ts';
import type { Transport } from './transport.ts';

/** A sub-client class. */
type AreaClass<Area extends AreaControl> = new (transport: Transport) => Area;

/** Sub-clients for the areas of control routes, each created at its first use. */
export abstract class Areas {
  private readonly made = new Map<AreaClass<AreaControl>, AreaControl>();

  /** @param transport sends the requests of all areas */
  constructor(protected readonly transport: Transport) {}

  /** ACM. */
  get acm(): AcmControl {
    return this.area(AcmControl);
  }

  /** REST APIs of API Gateway. */
  get apigateway(): ApiGatewayControl {
    return this.area(ApiGatewayControl);
  }

  /** API Gateway v2. */
  get apigatewayv2(): ApiGatewayV2Control {
    return this.area(ApiGatewayV2Control);
  }

  /** Application Auto Scaling. */
  get applicationAutoscaling(): ApplicationAutoscalingControl {
    return this.area(ApplicationAutoscalingControl);
  }

  /** Athena. */
  get athena(): AthenaControl {
    return this.area(AthenaControl);
  }

  /** Bedrock. */
  get bedrock(): BedrockControl {
    return this.area(BedrockControl);
  }

  /** Agents for Bedrock. */
  get bedrockAgent(): BedrockAgentControl {
    return this.area(BedrockAgentControl);
  }

  /** The runtime of Agents for Bedrock. */
  get bedrockAgentRuntime(): BedrockAgentRuntimeControl {
    return this.area(BedrockAgentRuntimeControl);
  }

  /** CloudFront. */
  get cloudfront(): CloudFrontControl {
    return this.area(CloudFrontControl);
  }

  /** CloudWatch. */
  get cloudwatch(): CloudWatchControl {
    return this.area(CloudWatchControl);
  }

  /** Cognito user pools. */
  get cognito(): CognitoControl {
    return this.area(CognitoControl);
  }

  /** DynamoDB. */
  get dynamodb(): DynamoDbControl {
    return this.area(DynamoDbControl);
  }

  /** EC2. */
  get ec2(): Ec2Control {
    return this.area(Ec2Control);
  }

  /** ECR. */
  get ecr(): EcrControl {
    return this.area(EcrControl);
  }

  /** ECS. */
  get ecs(): EcsControl {
    return this.area(EcsControl);
  }

  /** ElastiCache. */
  get elasticache(): ElastiCacheControl {
    return this.area(ElastiCacheControl);
  }

  /** Elastic Load Balancing v2. */
  get elbv2(): ElbV2Control {
    return this.area(ElbV2Control);
  }

  /** EventBridge. */
  get events(): EventsControl {
    return this.area(EventsControl);
  }

  /** Data Firehose. */
  get firehose(): FirehoseControl {
    return this.area(FirehoseControl);
  }

  /** Glue. */
  get glue(): GlueControl {
    return this.area(GlueControl);
  }

  /** KMS. */
  get kms(): KmsControl {
    return this.area(KmsControl);
  }

  /** Lambda. */
  get lambda(): LambdaControl {
    return this.area(LambdaControl);
  }

  /** CloudWatch Logs. */
  get logs(): LogsControl {
    return this.area(LogsControl);
  }

  /** Organizations. */
  get organizations(): OrganizationsControl {
    return this.area(OrganizationsControl);
  }

  /** RDS. */
  get rds(): RdsControl {
    return this.area(RdsControl);
  }

  /** Route 53. */
  get route53(): Route53Control {
    return this.area(Route53Control);
  }

  /** S3. */
  get s3(): S3Control {
    return this.area(S3Control);
  }

  /** EventBridge Scheduler. */
  get scheduler(): SchedulerControl {
    return this.area(SchedulerControl);
  }

  /** Secrets Manager. */
  get secretsmanager(): SecretsManagerControl {
    return this.area(SecretsManagerControl);
  }

  /** Service Quotas. */
  get serviceQuotas(): ServiceQuotasControl {
    return this.area(ServiceQuotasControl);
  }

  /** SES. */
  get ses(): SesControl {
    return this.area(SesControl);
  }

  /** SNS. */
  get sns(): SnsControl {
    return this.area(SnsControl);
  }

  /** SQS. */
  get sqs(): SqsControl {
    return this.area(SqsControl);
  }

  /** Systems Manager. */
  get ssm(): SsmControl {
    return this.area(SsmControl);
  }

  /** Step Functions. */
  get stepfunctions(): StepFunctionsControl {
    return this.area(StepFunctionsControl);
  }

  /** WAF v2. */
  get wafv2(): WafV2Control {
    return this.area(WafV2Control);
  }

  private area<Area extends AreaControl>(areaClass: AreaClass<Area>): Area {
    const made = this.made.get(areaClass) as Area | undefined;
    if (made) return made;
    const area = new areaClass(this.transport);
    this.made.set(areaClass, area);
    return area;
  }
}
