import { runScenario, type ServiceReport } from './run.ts';
import { dynamodb } from './scenarios/dynamodb.ts';
import { dynamodbstreams } from './scenarios/dynamodbstreams.ts';
import { events } from './scenarios/events.ts';
import { iam } from './scenarios/iam.ts';
import { kms } from './scenarios/kms.ts';
import { lambda } from './scenarios/lambda.ts';
import { s3 } from './scenarios/s3.ts';
import { s3control } from './scenarios/s3control.ts';
import { secretsmanager } from './scenarios/secretsmanager.ts';
import { sns } from './scenarios/sns.ts';
import { sqs } from './scenarios/sqs.ts';
import { sts } from './scenarios/sts.ts';

/** What the conformance run knows, by service. */
export const SCENARIOS = {
  dynamodb,
  dynamodbstreams,
  events,
  iam,
  kms,
  lambda,
  s3,
  s3control,
  secretsmanager,
  sns,
  sqs,
  sts,
};

/** Runs every scenario, or the named ones. */
export async function runAll(
  names: readonly string[] = Object.keys(SCENARIOS),
): Promise<Record<string, ServiceReport>> {
  const reports: Record<string, ServiceReport> = {};
  for (const name of names) reports[name] = await runScenario(SCENARIOS[name as keyof typeof SCENARIOS]);
  return reports;
}
