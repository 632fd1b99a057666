import { runScenario, type ServiceReport } from './run.ts';
import { apigateway } from './scenarios/apigateway.ts';
import { apigatewaymanagementapi } from './scenarios/apigatewaymanagementapi.ts';
import { apigatewayv2 } from './scenarios/apigatewayv2.ts';
import { cloudcontrol } from './scenarios/cloudcontrol.ts';
import { cloudformation } from './scenarios/cloudformation.ts';
import { cloudwatch } from './scenarios/cloudwatch.ts';
import { cognitoIdentity } from './scenarios/cognito-identity.ts';
import { cognitoIdp } from './scenarios/cognito-idp.ts';
import { dynamodb } from './scenarios/dynamodb.ts';
import { dynamodbstreams } from './scenarios/dynamodbstreams.ts';
import { ecr } from './scenarios/ecr.ts';
import { events } from './scenarios/events.ts';
import { firehose } from './scenarios/firehose.ts';
import { iam } from './scenarios/iam.ts';
import { kinesis } from './scenarios/kinesis.ts';
import { kms } from './scenarios/kms.ts';
import { lambda } from './scenarios/lambda.ts';
import { logs } from './scenarios/logs.ts';
import { pipes } from './scenarios/pipes.ts';
import { resourcegroups } from './scenarios/resourcegroups.ts';
import { resourcegroupstaggingapi } from './scenarios/resourcegroupstaggingapi.ts';
import { s3 } from './scenarios/s3.ts';
import { s3control } from './scenarios/s3control.ts';
import { scheduler } from './scenarios/scheduler.ts';
import { secretsmanager } from './scenarios/secretsmanager.ts';
import { servicequotas } from './scenarios/servicequotas.ts';
import { ses } from './scenarios/ses.ts';
import { sesv2 } from './scenarios/sesv2.ts';
import { sns } from './scenarios/sns.ts';
import { sqs } from './scenarios/sqs.ts';
import { ssm } from './scenarios/ssm.ts';
import { stepfunctions } from './scenarios/stepfunctions.ts';
import { sts } from './scenarios/sts.ts';

/** Scenarios of the conformance run, by service. */
export const SCENARIOS = {
  'cognito-identity': cognitoIdentity,
  apigateway,
  apigatewaymanagementapi,
  apigatewayv2,
  cloudcontrol,
  cloudformation,
  cloudwatch,
  'cognito-idp': cognitoIdp,
  dynamodb,
  dynamodbstreams,
  ecr,
  events,
  firehose,
  iam,
  kinesis,
  kms,
  lambda,
  logs,
  pipes,
  resourcegroups,
  resourcegroupstaggingapi,
  s3,
  s3control,
  scheduler,
  secretsmanager,
  servicequotas,
  ses,
  sesv2,
  sns,
  sqs,
  ssm,
  stepfunctions,
  sts,
};

/** Runs every scenario, or the named ones. */
export async function runAll(
  names: readonly string[] = Object.keys(SCENARIOS),
): Promise<Record<string, ServiceReport>> {
  const reports: Record<string, ServiceReport> = {};
  for (const name of names) reports[name] = (await runScenario(SCENARIOS[name as keyof typeof SCENARIOS])).report;
  return reports;
}
