/**
 * Messages that are not written in the sources, because they come from somebody else: by file, what comes in and whose
 * words it is. Everything else that cannot be read is a mistake.
 */
export const RELAYED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'packages/gateway/src/access/refusals.ts': {
    message: 'kept with the restriction, whose sentences the other caller tells',
  },
  'packages/gateway/src/injected-faults.ts': { message: 'the user of the control route words the fault' },
  'packages/wire/src/event-stream.ts': { "textOf(message, ':error-message') ?? ''": 'the peer of the stream' },
  'packages/svc-cloudformation/src/errors.ts': {
    message: "what a rule of the user's template says of what it asserts",
  },
  'packages/svc-cognito-idp/src/errors.ts': { message: 'what the verifier of passkeys says of a credential' },
  'packages/svc-logs/src/insights/queries/start.ts': {
    message: 'what the parser and the compiler of queries say of one, with its symbols and positions',
  },
  'packages/svc-dynamodb/src/import-export/jobs.ts': {
    'error instanceof Error ? error.message : String(error)': 'the disk or the network of the emulator',
  },
  'packages/svc-events/src/cloudformation/rule.ts': {
    "failed.ErrorMessage ?? 'A target is refused.'": 'what PutTargets answered',
  },
  'packages/svc-events/src/delivery/deliver.ts': { 'last.message': 'what a target answered' },
  'packages/svc-events/src/delivery/outcome.ts': { message: 'what a target answered' },
  'packages/svc-events/src/delivery/http.ts': { 'error.message': 'what the network to the target said' },
  'packages/svc-firehose/src/delivery/attempt.ts': { message: 'what a destination answered' },
  'packages/svc-firehose/src/delivery/transform.ts': { message: 'what the function answered' },
  'packages/svc-firehose/src/destinations/http.ts': { message: 'what the network to the endpoint said' },
  'packages/svc-firehose/src/destinations/opensearch.ts': {
    message: 'what the cluster answered, or the network to it',
  },
  'packages/svc-firehose/src/destinations/service-delivery.ts': { message: 'kept with the verdict on a record' },
  'packages/svc-firehose/src/destinations/splunk.ts': { message: 'what Splunk answered, or the network to it' },
  'packages/svc-iam/src/operations/access-advisor.ts': { 'job.error.message': 'kept where the job failed' },
  'packages/svc-lambda/src/cloudformation/versions.ts': {
    "StatusReason ?? 'Provisioned concurrency failed'": 'why Lambda could not start the environments',
  },
  'packages/svc-lambda/src/runtime/destinations.ts': {
    'text(errorMessageOf(execution).slice(0, MAX_ERROR_MESSAGE))': "the function's own error",
  },
  'packages/svc-scheduler/src/delivery/deliveries.ts': { message: 'what a target answered' },
  'packages/svc-scheduler/src/delivery/retries.ts': { message: 'what a target answered' },
  'packages/svc-ssm/src/errors.ts': { message: 'the sentence of the error that starting the runbook would have' },
  'packages/svc-stepfunctions/src/errors.ts': {
    message: 'what is wrong with the file of mocked integrations, with its names or in words of the disk',
  },
  'packages/svc-resourcegroups/src/operations/membership.ts': {
    errorMessage: 'kept where grouping the resource failed, in the words of its service',
  },
  'packages/svc-s3/src/operations/object-lambda-results.ts': {
    "message ?? 'The Lambda function answered with an error.'": 'the function that answers',
  },
  'packages/svc-s3/src/operations/object-lambda.ts': {
    "message ?? 'The Lambda function answered with an error.'": 'the function that answers',
  },
  'packages/svc-s3control/src/jobs/records.ts': { message: 'the function of the job' },
};
