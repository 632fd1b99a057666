import type { ControlBody, ControlClient, ControlRouteName } from '../src/index.ts';

/** A call of the client and the expected request; for WebSockets, the expected URL. */
interface RouteCase<Name extends ControlRouteName> {
  call: (client: ControlClient) => unknown;
  /** Path and query. */
  target: string;
  body?: ControlBody<Name>;
}

const account = '000000000001';
const certificate = 'arn:aws:acm:us-east-1:000000000001:certificate/12ab';
const execution = 'arn:aws:states:us-east-1:000000000001:execution:order:run-1';
const task = 'arn:aws:ecs:us-east-1:000000000001:task/shop/0a1b';
const webAcl = 'arn:aws:wafv2:us-east-1:000000000001:regional/webacl/shop/12ab';
const user = { userPoolId: 'us-east-1_Pool', username: 'ann@example.com' };
const scope = { accountId: account, region: 'eu-west-1' };
const scopeQuery = 'accountId=000000000001&region=eu-west-1';

/** At least one call of every route. The type requires one for each, so a route without a method does not compile. */
export const cases: { readonly [Name in ControlRouteName]: readonly RouteCase<Name>[] } = {
  'GET /_emulator/health': [{ call: (c) => c.health(), target: '/_emulator/health' }],
  'POST /_reset': [{ call: (c) => c.reset(), target: '/_reset' }],
  'POST /_emulator/reset/{service}': [{ call: (c) => c.resetService('sqs'), target: '/_emulator/reset/sqs' }],
  'POST /_emulator/reset/{service}/{account_id}': [
    { call: (c) => c.resetServiceAccount('sqs', account), target: '/_emulator/reset/sqs/000000000001' },
  ],
  'GET /_emulator/credentials': [{ call: (c) => c.credentials(), target: '/_emulator/credentials' }],
  'POST /_emulator/iam/create-admin': [
    {
      call: (c) => c.createAdmin(account, 'ann'),
      target: '/_emulator/iam/create-admin',
      body: { accountId: account, userName: 'ann' },
    },
    {
      call: (c) => c.createAdminInOrganization(account, 'ann', 'o-1234567890'),
      target: '/_emulator/iam/create-admin',
      body: { accountId: account, userName: 'ann', organizationId: 'o-1234567890' },
    },
  ],
  'GET /_emulator/dns/resolve': [
    { call: (c) => c.dnsResolve('www.example.com'), target: '/_emulator/dns/resolve?name=www.example.com' },
    {
      call: (c) => c.dnsResolve('ü.example.com', 'AAAA'),
      target: '/_emulator/dns/resolve?name=%C3%BC.example.com&type=AAAA',
    },
  ],
  'GET /_emulator/faults': [{ call: (c) => c.faults.list(), target: '/_emulator/faults' }],
  'POST /_emulator/faults': [
    {
      call: (c) => c.faults.add({ service: 'sqs', times: 2, drop: true }),
      target: '/_emulator/faults',
      body: { service: 'sqs', times: 2, drop: true },
    },
  ],
  'DELETE /_emulator/faults': [{ call: (c) => c.faults.clear(), target: '/_emulator/faults' }],
  'DELETE /_emulator/faults/{id}': [{ call: (c) => c.faults.clear('12ab'), target: '/_emulator/faults/12ab' }],
  'GET /_emulator/clock': [{ call: (c) => c.clock.state(), target: '/_emulator/clock' }],
  'POST /_emulator/clock': [
    { call: (c) => c.clock.freeze(), target: '/_emulator/clock', body: { freeze: true } },
    { call: (c) => c.clock.resume(), target: '/_emulator/clock', body: { resume: true } },
    { call: (c) => c.clock.reset(), target: '/_emulator/clock', body: { reset: true } },
    { call: (c) => c.clock.set(new Date(0)), target: '/_emulator/clock', body: { set: '1970-01-01T00:00:00.000Z' } },
    {
      call: (c) => c.clock.set('2030-01-01T00:00:00+02:00'),
      target: '/_emulator/clock',
      body: { set: '2030-01-01T00:00:00+02:00' },
    },
    { call: (c) => c.clock.advance('15m'), target: '/_emulator/clock', body: { advance: '15m' } },
    { call: (c) => c.clock.advance(1500), target: '/_emulator/clock', body: { advance: 1500 } },
  ],
  'GET /latest/dynamic/instance-identity/document': [
    { call: (c) => c.instanceIdentityDocument(), target: '/latest/dynamic/instance-identity/document' },
  ],
  'POST /_emulator/acm/certificates/{arn_or_id}/status': [
    {
      call: (c) => c.acm.setCertificateStatus(certificate, { status: 'FAILED', failureReason: 'CAA_ERROR' }),
      target: '/_emulator/acm/certificates/arn%3Aaws%3Aacm%3Aus-east-1%3A000000000001%3Acertificate%2F12ab/status',
      body: { status: 'FAILED', failureReason: 'CAA_ERROR' },
    },
  ],
  'POST /_emulator/acm/certificates/{arn_or_id}/approve': [
    { call: (c) => c.acm.approveCertificate('12ab'), target: '/_emulator/acm/certificates/12ab/approve' },
  ],
  'GET /_emulator/acm/certificates/{arn_or_id}/chain-info': [
    {
      call: (c) => c.acm.certificateChainInfo(certificate),
      target: '/_emulator/acm/certificates/arn%3Aaws%3Aacm%3Aus-east-1%3A000000000001%3Acertificate%2F12ab/chain-info',
    },
  ],
  'GET /_emulator/apigateway/urls': [{ call: (c) => c.apigateway.urls(), target: '/_emulator/apigateway/urls' }],
  'GET /_emulator/apigatewayv2/requests': [
    { call: (c) => c.apigatewayv2.requests(), target: '/_emulator/apigatewayv2/requests' },
  ],
  'GET /_emulator/apigatewayv2/connections': [
    { call: (c) => c.apigatewayv2.connections(), target: '/_emulator/apigatewayv2/connections' },
  ],
  'GET /_emulator/apigatewayv2/urls': [{ call: (c) => c.apigatewayv2.urls(), target: '/_emulator/apigatewayv2/urls' }],
  'WS /_emulator/apigatewayv2/ws/{api_id}': [
    { call: (c) => c.apigatewayv2.wsUrl('a1b2'), target: '/_emulator/apigatewayv2/ws/a1b2' },
    {
      call: (c) => c.apigatewayv2.wsUrl('a1b2', '$default'),
      target: '/_emulator/apigatewayv2/ws/a1b2?stage=%24default',
    },
  ],
  'GET /_emulator/apigatewayv2/domain-names/{name}/mtls-info': [
    {
      call: (c) => c.apigatewayv2.domainNameMtlsInfo('api.example.com'),
      target: '/_emulator/apigatewayv2/domain-names/api.example.com/mtls-info',
    },
  ],
  'POST /_emulator/application-autoscaling/tick': [
    { call: (c) => c.applicationAutoscaling.tick(), target: '/_emulator/application-autoscaling/tick' },
  ],
  'POST /_emulator/application-autoscaling/scheduled-tick': [
    {
      call: (c) => c.applicationAutoscaling.scheduledTick(),
      target: '/_emulator/application-autoscaling/scheduled-tick',
    },
  ],
  'GET /_emulator/athena/named-queries': [
    { call: (c) => c.athena.namedQueries(), target: '/_emulator/athena/named-queries' },
  ],
  'GET /_emulator/bedrock/invocations': [
    { call: (c) => c.bedrock.invocations(), target: '/_emulator/bedrock/invocations' },
  ],
  'POST /_emulator/bedrock/models/{model_id}/response': [
    {
      call: (c) => c.bedrock.setModelResponse('anthropic.claude-3:0', { response: { text: 'hi' } }),
      target: '/_emulator/bedrock/models/anthropic.claude-3%3A0/response',
      body: { response: { text: 'hi' } },
    },
  ],
  'POST /_emulator/bedrock/models/{model_id}/responses': [
    {
      call: (c) => c.bedrock.setResponseRules('anthropic.claude-3:0', [{ promptContains: 'hello', response: 'hi' }]),
      target: '/_emulator/bedrock/models/anthropic.claude-3%3A0/responses',
      body: { rules: [{ promptContains: 'hello', response: 'hi' }] },
    },
  ],
  'DELETE /_emulator/bedrock/models/{model_id}/responses': [
    {
      call: (c) => c.bedrock.clearResponseRules('anthropic.claude-3:0'),
      target: '/_emulator/bedrock/models/anthropic.claude-3%3A0/responses',
    },
  ],
  'GET /_emulator/requests': [
    { call: (c) => c.requests.list(), target: '/_emulator/requests' },
    {
      call: (c) => c.requests.list({ service: 'sqs', errors: true, since: 4, limit: 2 }),
      target: '/_emulator/requests?service=sqs&errors=true&since=4&limit=2',
    },
  ],
  'GET /_emulator/requests/tree': [
    {
      call: (c) => c.requests.tree({ operation: 'PutObject', account_id: '123456789012' }),
      target: '/_emulator/requests/tree?operation=PutObject&account_id=123456789012',
    },
  ],
  'PUT /_emulator/requests': [
    { call: (c) => c.requests.record(), target: '/_emulator/requests', body: { recording: true } },
    { call: (c) => c.requests.record(false), target: '/_emulator/requests', body: { recording: false } },
  ],
  'GET /_emulator/state': [
    { call: (c) => c.state.save(), target: '/_emulator/state' },
    {
      call: (c) => c.state.save({ services: ['sqs', 's3'], accounts: ['123456789012'] }),
      target: '/_emulator/state?services=sqs%2Cs3&accounts=123456789012',
    },
  ],
  'POST /_emulator/state': [
    { call: (c) => c.state.load(new Uint8Array([1])), target: '/_emulator/state', body: new Uint8Array([1]) },
    {
      call: (c) => c.state.load(new Uint8Array([1]), { mode: 'merge', services: ['sqs'] }),
      target: '/_emulator/state?services=sqs&mode=merge',
      body: new Uint8Array([1]),
    },
  ],
  'DELETE /_emulator/requests': [{ call: (c) => c.requests.clear(), target: '/_emulator/requests' }],
  'POST /_emulator/bedrock/faults': [
    {
      call: (c) => c.bedrock.injectFault({ kind: 'throttle', count: 2 }),
      target: '/_emulator/bedrock/faults',
      body: { kind: 'throttle', count: 2 },
    },
  ],
  'GET /_emulator/bedrock/faults': [{ call: (c) => c.bedrock.faults(), target: '/_emulator/bedrock/faults' }],
  'DELETE /_emulator/bedrock/faults': [{ call: (c) => c.bedrock.clearFaults(), target: '/_emulator/bedrock/faults' }],
  'GET /_emulator/bedrock-agent/agents': [
    { call: (c) => c.bedrockAgent.agents(), target: '/_emulator/bedrock-agent/agents' },
  ],
  'GET /_emulator/bedrock-agent-runtime/invocations': [
    { call: (c) => c.bedrockAgentRuntime.invocations(), target: '/_emulator/bedrock-agent-runtime/invocations' },
  ],
  'GET /_emulator/cloudfront/distributions': [
    { call: (c) => c.cloudfront.distributions(), target: '/_emulator/cloudfront/distributions' },
  ],
  'POST /_emulator/cloudfront/distributions/{id}/status': [
    {
      call: (c) => c.cloudfront.setDistributionStatus('E1', 'in-progress'),
      target: '/_emulator/cloudfront/distributions/E1/status',
      body: { status: 'in-progress' },
    },
  ],
  'GET /_emulator/cloudwatch/alarms': [{ call: (c) => c.cloudwatch.alarms(), target: '/_emulator/cloudwatch/alarms' }],
  'GET /_emulator/cloudwatch/metrics': [
    { call: (c) => c.cloudwatch.metrics(), target: '/_emulator/cloudwatch/metrics' },
  ],
  'GET /_emulator/cognito/confirmation-codes': [
    { call: (c) => c.cognito.confirmationCodes(), target: '/_emulator/cognito/confirmation-codes' },
  ],
  'GET /_emulator/cognito/confirmation-codes/{pool_id}/{username}': [
    {
      call: (c) => c.cognito.userConfirmationCodes(user.userPoolId, user.username),
      target: '/_emulator/cognito/confirmation-codes/us-east-1_Pool/ann%40example.com',
    },
  ],
  'POST /_emulator/cognito/confirm-user': [
    { call: (c) => c.cognito.confirmUser(user), target: '/_emulator/cognito/confirm-user', body: user },
  ],
  'GET /_emulator/cognito/urls': [{ call: (c) => c.cognito.urls(), target: '/_emulator/cognito/urls' }],
  'GET /_emulator/cognito/tokens': [{ call: (c) => c.cognito.tokens(), target: '/_emulator/cognito/tokens' }],
  'POST /_emulator/cognito/expire-tokens': [
    { call: (c) => c.cognito.expireTokens(), target: '/_emulator/cognito/expire-tokens' },
    { call: (c) => c.cognito.expireTokens(user), target: '/_emulator/cognito/expire-tokens', body: user },
  ],
  'GET /_emulator/cognito/auth-events': [
    { call: (c) => c.cognito.authEvents(), target: '/_emulator/cognito/auth-events' },
  ],
  'POST /_emulator/cognito/authorization-codes': [
    {
      call: (c) => c.cognito.createAuthorizationCode({ ...user, clientId: 'client', scopes: ['openid'] }),
      target: '/_emulator/cognito/authorization-codes',
      body: { ...user, clientId: 'client', scopes: ['openid'] },
    },
  ],
  'POST /_emulator/cognito/compromised-passwords': [
    {
      call: (c) => c.cognito.markPasswordCompromised({ password: 'hunter2' }),
      target: '/_emulator/cognito/compromised-passwords',
      body: { password: 'hunter2' },
    },
  ],
  'POST /_emulator/cognito/risk-levels': [
    {
      call: (c) => c.cognito.setRiskLevel({ ...user, riskLevel: 'High' }),
      target: '/_emulator/cognito/risk-levels',
      body: { ...user, riskLevel: 'High' },
    },
  ],
  'POST /_emulator/cognito/software-token': [
    {
      call: (c) => c.cognito.enrollSoftwareToken({ ...user, secretCode: 'JBSWY3DP' }),
      target: '/_emulator/cognito/software-token',
      body: { ...user, secretCode: 'JBSWY3DP' },
    },
  ],
  'GET /_emulator/cognito/webauthn-credentials': [
    { call: (c) => c.cognito.webAuthnCredentials(), target: '/_emulator/cognito/webauthn-credentials' },
  ],
  'GET /_emulator/cognito/pretokengen/invocations': [
    { call: (c) => c.cognito.preTokenGenerationInvocations(), target: '/_emulator/cognito/pretokengen/invocations' },
  ],
  'POST /_emulator/dynamodb/ttl-processor/tick': [
    { call: (c) => c.dynamodb.ttlTick(), target: '/_emulator/dynamodb/ttl-processor/tick' },
  ],
  'POST /_emulator/dynamodb/snapshot/save': [
    { call: (c) => c.dynamodb.saveSnapshot(), target: '/_emulator/dynamodb/snapshot/save' },
    {
      call: (c) => c.dynamodb.saveSnapshot('/data/copy'),
      target: '/_emulator/dynamodb/snapshot/save',
      body: { dataPath: '/data/copy' },
    },
  ],
  'GET /_emulator/ec2/instances': [{ call: (c) => c.ec2.instances(), target: '/_emulator/ec2/instances' }],
  'GET /_emulator/ec2/instance-networks': [
    { call: (c) => c.ec2.instanceNetworks(), target: '/_emulator/ec2/instance-networks' },
  ],
  'GET /_emulator/ecr/repositories': [{ call: (c) => c.ecr.repositories(), target: '/_emulator/ecr/repositories' }],
  'GET /_emulator/ecr/images': [{ call: (c) => c.ecr.images(), target: '/_emulator/ecr/images' }],
  'GET /_emulator/ecr/pull-through-rules': [
    { call: (c) => c.ecr.pullThroughRules(), target: '/_emulator/ecr/pull-through-rules' },
  ],
  'GET /_emulator/ecs/clusters': [{ call: (c) => c.ecs.clusters(), target: '/_emulator/ecs/clusters' }],
  'GET /_emulator/ecs/tasks': [
    { call: (c) => c.ecs.tasks(), target: '/_emulator/ecs/tasks' },
    {
      call: (c) => c.ecs.tasks({ cluster: 'shop', family: 'web', status: 'RUNNING' }),
      target: '/_emulator/ecs/tasks?cluster=shop&family=web&status=RUNNING',
    },
  ],
  'GET /_emulator/ecs/tasks/{task_id}': [{ call: (c) => c.ecs.task('0a1b'), target: '/_emulator/ecs/tasks/0a1b' }],
  'GET /_emulator/ecs/tasks/{task_id}/logs': [
    { call: (c) => c.ecs.taskLogs('0a1b'), target: '/_emulator/ecs/tasks/0a1b/logs' },
  ],
  'POST /_emulator/ecs/tasks/{task_id}/force-stop': [
    { call: (c) => c.ecs.forceStopTask('0a1b'), target: '/_emulator/ecs/tasks/0a1b/force-stop' },
  ],
  'POST /_emulator/ecs/tasks/{task_id}/mark-failed': [
    { call: (c) => c.ecs.markTaskFailed('0a1b'), target: '/_emulator/ecs/tasks/0a1b/mark-failed' },
    {
      call: (c) => c.ecs.markTaskFailed('0a1b', { reason: 'out of memory', exitCode: 137 }),
      target: '/_emulator/ecs/tasks/0a1b/mark-failed',
      body: { reason: 'out of memory', exitCode: 137 },
    },
  ],
  'GET /_emulator/ecs/events': [{ call: (c) => c.ecs.events(), target: '/_emulator/ecs/events' }],
  'GET /_emulator/ecs/creds/{task_id}': [
    { call: (c) => c.ecs.taskCredentials('0a1b'), target: '/_emulator/ecs/creds/0a1b' },
  ],
  'GET /_emulator/ecs/v3/{task_id}': [{ call: (c) => c.ecs.taskMetadataV3('0a1b'), target: '/_emulator/ecs/v3/0a1b' }],
  'GET /_emulator/ecs/v4/{task_id}': [{ call: (c) => c.ecs.taskMetadataV4('0a1b'), target: '/_emulator/ecs/v4/0a1b' }],
  'GET /_emulator/ecs/metadata/{task_arn}': [
    {
      call: (c) => c.ecs.metadata(task),
      target: '/_emulator/ecs/metadata/arn%3Aaws%3Aecs%3Aus-east-1%3A000000000001%3Atask%2Fshop%2F0a1b',
    },
  ],
  'GET /_emulator/elasticache/clusters': [
    { call: (c) => c.elasticache.clusters(), target: '/_emulator/elasticache/clusters' },
  ],
  'GET /_emulator/elasticache/replication-groups': [
    { call: (c) => c.elasticache.replicationGroups(), target: '/_emulator/elasticache/replication-groups' },
  ],
  'GET /_emulator/elasticache/serverless-caches': [
    { call: (c) => c.elasticache.serverlessCaches(), target: '/_emulator/elasticache/serverless-caches' },
  ],
  'GET /_emulator/elasticache/acls': [{ call: (c) => c.elasticache.acls(), target: '/_emulator/elasticache/acls' }],
  'GET /_emulator/elbv2/load-balancers': [
    { call: (c) => c.elbv2.loadBalancers(), target: '/_emulator/elbv2/load-balancers' },
  ],
  'GET /_emulator/elbv2/target-groups': [
    { call: (c) => c.elbv2.targetGroups(), target: '/_emulator/elbv2/target-groups' },
  ],
  'GET /_emulator/elbv2/listeners': [{ call: (c) => c.elbv2.listeners(), target: '/_emulator/elbv2/listeners' }],
  'GET /_emulator/elbv2/rules': [{ call: (c) => c.elbv2.rules(), target: '/_emulator/elbv2/rules' }],
  'GET /_emulator/elbv2/waf-counts': [{ call: (c) => c.elbv2.wafCounts(), target: '/_emulator/elbv2/waf-counts' }],
  'POST /_emulator/elbv2/access-logs/flush': [
    { call: (c) => c.elbv2.flushAccessLogs(), target: '/_emulator/elbv2/access-logs/flush' },
  ],
  'GET /_emulator/events/history': [{ call: (c) => c.events.history(), target: '/_emulator/events/history' }],
  'POST /_emulator/events/endpoint-health': [
    {
      call: (c) => c.events.endpointHealth({ endpointName: 'orders', healthy: false }),
      target: '/_emulator/events/endpoint-health',
      body: { endpointName: 'orders', healthy: false },
    },
  ],
  'POST /_emulator/events/fire-rule': [
    {
      call: (c) => c.events.fireRule({ ruleName: 'nightly', eventBusName: 'shop' }),
      target: '/_emulator/events/fire-rule',
      body: { ruleName: 'nightly', eventBusName: 'shop' },
    },
  ],
  'GET /_emulator/firehose/delivery-streams': [
    { call: (c) => c.firehose.deliveryStreams(), target: '/_emulator/firehose/delivery-streams' },
  ],
  'GET /_emulator/glue/jobs': [{ call: (c) => c.glue.jobs(), target: '/_emulator/glue/jobs' }],
  'GET /_emulator/glue/job-runs': [
    { call: (c) => c.glue.jobRuns(), target: '/_emulator/glue/job-runs' },
    { call: (c) => c.glue.jobRuns('load & clean'), target: '/_emulator/glue/job-runs?job_name=load+%26+clean' },
  ],
  'GET /_emulator/glue/crawlers': [{ call: (c) => c.glue.crawlers(), target: '/_emulator/glue/crawlers' }],
  'GET /_emulator/kms/usage': [{ call: (c) => c.kms.usage(), target: '/_emulator/kms/usage' }],
  'GET /_emulator/lambda/invocations': [
    { call: (c) => c.lambda.invocations(), target: '/_emulator/lambda/invocations' },
  ],
  'GET /_emulator/lambda/urls': [{ call: (c) => c.lambda.urls(), target: '/_emulator/lambda/urls' }],
  'GET /_emulator/lambda/logs': [
    { call: (c) => c.lambda.logs(), target: '/_emulator/lambda/logs' },
    {
      call: (c) => c.lambda.logs({ functionName: 'resize', requestId: 'r', since: '2026-01-01T00:00:00Z', limit: 5 }),
      target: '/_emulator/lambda/logs?function_name=resize&request_id=r&since=2026-01-01T00%3A00%3A00Z&limit=5',
    },
  ],
  'GET /_emulator/lambda/warm-containers': [
    { call: (c) => c.lambda.warmContainers(), target: '/_emulator/lambda/warm-containers' },
  ],
  'POST /_emulator/lambda/{function_name}/evict-container': [
    { call: (c) => c.lambda.evictContainers('resize'), target: '/_emulator/lambda/resize/evict-container' },
  ],
  'GET /_emulator/lambda/layer-content/{account_id}/{layer_name}/{file}': [
    {
      call: (c) => c.lambda.layerContent(account, 'tools', 3),
      target: '/_emulator/lambda/layer-content/000000000001/tools/3.zip',
    },
    {
      call: (c) => c.lambda.layerContent(account, 'tools', 3, { region: 'eu-west-1' }),
      target: '/_emulator/lambda/layer-content/000000000001/tools/3.zip?region=eu-west-1',
    },
  ],
  'GET /_emulator/lambda/layers': [{ call: (c) => c.lambda.layers(), target: '/_emulator/lambda/layers' }],
  'PUT /_emulator/lambda/layers/{arn}': [
    {
      call: (c) => c.lambda.importLayer('arn:aws:lambda:us-east-1:000000000001:layer:tools:3', new Uint8Array([1])),
      target: '/_emulator/lambda/layers/arn%3Aaws%3Alambda%3Aus-east-1%3A000000000001%3Alayer%3Atools%3A3',
      body: new Uint8Array([1]),
    },
  ],
  'DELETE /_emulator/lambda/layers/{arn}': [
    {
      call: (c) => c.lambda.removeLayer('arn:aws:lambda:us-east-1:000000000001:layer:tools:3'),
      target: '/_emulator/lambda/layers/arn%3Aaws%3Alambda%3Aus-east-1%3A000000000001%3Alayer%3Atools%3A3',
    },
  ],
  'GET /_emulator/lambda/function-code/{account_id}/{function_name}/{file}': [
    {
      call: (c) => c.lambda.functionCode(account, 'resize'),
      target: '/_emulator/lambda/function-code/000000000001/resize/latest.zip',
    },
    {
      call: (c) => c.lambda.functionCode(account, 'resize', { version: 2, region: 'eu-west-1' }),
      target: '/_emulator/lambda/function-code/000000000001/resize/2.zip?region=eu-west-1',
    },
  ],
  'POST /_emulator/logs/anomalies/inject': [
    {
      call: (c) =>
        c.logs.injectAnomalies({
          logGroupName: '/app',
          anomalies: [{ description: 'many', patternString: 'ERROR <*>' }],
        }),
      target: '/_emulator/logs/anomalies/inject',
      body: { logGroupName: '/app', anomalies: [{ description: 'many', patternString: 'ERROR <*>' }] },
    },
  ],
  'GET /_emulator/logs/delivery-config': [
    { call: (c) => c.logs.deliveryConfig(), target: '/_emulator/logs/delivery-config' },
  ],
  'GET /_emulator/logs/field-indexes/{log_group_name}': [
    {
      call: (c) => c.logs.fieldIndexes('/aws/lambda/resize'),
      target: '/_emulator/logs/field-indexes/%2Faws%2Flambda%2Fresize',
    },
  ],
  'GET /_emulator/organizations/accounts': [
    { call: (c) => c.organizations.accounts(), target: '/_emulator/organizations/accounts' },
  ],
  'GET /_emulator/organizations/responsibility-transfers': [
    {
      call: (c) => c.organizations.responsibilityTransfers(),
      target: '/_emulator/organizations/responsibility-transfers',
    },
  ],
  'GET /_emulator/rds/instances': [{ call: (c) => c.rds.instances(), target: '/_emulator/rds/instances' }],
  'POST /_emulator/rds/lambda-invoke': [
    {
      call: (c) => c.rds.lambdaInvoke({ dbInstanceIdentifier: 'db', functionName: 'resize', payload: { a: 1 } }),
      target: '/_emulator/rds/lambda-invoke',
      body: { dbInstanceIdentifier: 'db', functionName: 'resize', payload: { a: 1 } },
    },
  ],
  'POST /_emulator/rds/s3-import': [
    {
      call: (c) => c.rds.s3Import({ dbInstanceIdentifier: 'db', table: 'items', bucket: 'in', key: 'items.csv' }),
      target: '/_emulator/rds/s3-import',
      body: { dbInstanceIdentifier: 'db', table: 'items', bucket: 'in', key: 'items.csv' },
    },
  ],
  'POST /_emulator/rds/s3-export': [
    {
      call: (c) => c.rds.s3Export({ dbInstanceIdentifier: 'db', query: 'select 1', bucket: 'out', key: 'one.csv' }),
      target: '/_emulator/rds/s3-export',
      body: { dbInstanceIdentifier: 'db', query: 'select 1', bucket: 'out', key: 'one.csv' },
    },
  ],
  'POST /_emulator/route53/health-checks/{id}/status': [
    {
      call: (c) => c.route53.setHealthCheckStatus('hc-1', 'unhealthy'),
      target: '/_emulator/route53/health-checks/hc-1/status',
      body: { status: 'unhealthy' },
    },
  ],
  'GET /_emulator/route53/zones/{id}/dnssec': [
    { call: (c) => c.route53.zoneDnssec('Z1'), target: '/_emulator/route53/zones/Z1/dnssec' },
  ],
  'POST /_emulator/route53/zones/{id}/dnssec/sign': [
    { call: (c) => c.route53.signZone('Z1'), target: '/_emulator/route53/zones/Z1/dnssec/sign' },
  ],
  'GET /_emulator/s3/urls': [{ call: (c) => c.s3.urls(), target: '/_emulator/s3/urls' }],
  'GET /_emulator/s3/notifications': [{ call: (c) => c.s3.notifications(), target: '/_emulator/s3/notifications' }],
  'POST /_emulator/s3/lifecycle-processor/tick': [
    { call: (c) => c.s3.lifecycleTick(), target: '/_emulator/s3/lifecycle-processor/tick' },
  ],
  'GET /_emulator/s3/access-points': [{ call: (c) => c.s3.accessPoints(), target: '/_emulator/s3/access-points' }],
  'GET /_emulator/s3/object-lambda-responses': [
    { call: (c) => c.s3.objectLambdaResponses(), target: '/_emulator/s3/object-lambda-responses' },
  ],
  'GET /_emulator/scheduler/schedules': [
    { call: (c) => c.scheduler.schedules(), target: '/_emulator/scheduler/schedules' },
  ],
  'POST /_emulator/scheduler/fire/{group}/{name}': [
    { call: (c) => c.scheduler.fire('default', 'nightly'), target: '/_emulator/scheduler/fire/default/nightly' },
    {
      call: (c) => c.scheduler.fire('default', 'nightly', scope),
      target: `/_emulator/scheduler/fire/default/nightly?${scopeQuery}`,
    },
  ],
  'POST /_emulator/secretsmanager/rotation-scheduler/tick': [
    { call: (c) => c.secretsmanager.rotationTick(), target: '/_emulator/secretsmanager/rotation-scheduler/tick' },
  ],
  'GET /_emulator/service-quotas/quotas': [
    { call: (c) => c.serviceQuotas.quotas(), target: '/_emulator/service-quotas/quotas' },
    {
      call: (c) => c.serviceQuotas.quotas({ ...scope, serviceCode: 'sqs' }),
      target: `/_emulator/service-quotas/quotas?${scopeQuery}&serviceCode=sqs`,
    },
  ],
  'PUT /_emulator/service-quotas/quotas/{service}/{quota}': [
    {
      call: (c) => c.serviceQuotas.setQuota('sqs', 'L-1', { ...scope, value: 5, enforce: null }),
      target: '/_emulator/service-quotas/quotas/sqs/L-1',
      body: { ...scope, value: 5, enforce: null },
    },
  ],
  'DELETE /_emulator/service-quotas/quotas/{service}/{quota}': [
    { call: (c) => c.serviceQuotas.resetQuota('sqs', 'L-1'), target: '/_emulator/service-quotas/quotas/sqs/L-1' },
    {
      call: (c) => c.serviceQuotas.resetQuota('sqs', 'L-1', scope),
      target: `/_emulator/service-quotas/quotas/sqs/L-1?${scopeQuery}`,
    },
  ],
  'GET /_emulator/service-quotas/enforcement': [
    { call: (c) => c.serviceQuotas.enforcement(), target: '/_emulator/service-quotas/enforcement' },
  ],
  'PUT /_emulator/service-quotas/enforcement': [
    {
      call: (c) => c.serviceQuotas.setEnforcement({ enforceAll: true }),
      target: '/_emulator/service-quotas/enforcement',
      body: { enforceAll: true },
    },
  ],
  'GET /_emulator/service-quotas/request-approval': [
    { call: (c) => c.serviceQuotas.requestApproval(), target: '/_emulator/service-quotas/request-approval' },
  ],
  'PUT /_emulator/service-quotas/request-approval': [
    {
      call: (c) => c.serviceQuotas.setRequestApproval('manual'),
      target: '/_emulator/service-quotas/request-approval',
      body: { mode: 'manual' },
    },
  ],
  'GET /_emulator/service-quotas/requests': [
    { call: (c) => c.serviceQuotas.requests(), target: '/_emulator/service-quotas/requests' },
    {
      call: (c) => c.serviceQuotas.requests({ accountId: account, status: 'PENDING' }),
      target: '/_emulator/service-quotas/requests?accountId=000000000001&status=PENDING',
    },
  ],
  'POST /_emulator/service-quotas/requests/{id}/approve': [
    { call: (c) => c.serviceQuotas.approveRequest('r-1'), target: '/_emulator/service-quotas/requests/r-1/approve' },
  ],
  'POST /_emulator/service-quotas/requests/{id}/deny': [
    { call: (c) => c.serviceQuotas.denyRequest('r-1'), target: '/_emulator/service-quotas/requests/r-1/deny' },
    {
      call: (c) => c.serviceQuotas.denyRequest('r-1', 'NOT_APPROVED'),
      target: '/_emulator/service-quotas/requests/r-1/deny',
      body: { status: 'NOT_APPROVED' },
    },
  ],
  'GET /_emulator/ses/emails': [{ call: (c) => c.ses.emails(), target: '/_emulator/ses/emails' }],
  'POST /_emulator/ses/inbound': [
    {
      call: (c) => c.ses.inbound({ from: 'a@example.com', recipients: ['b@example.com'], subject: 'hi' }),
      target: '/_emulator/ses/inbound',
      body: { from: 'a@example.com', recipients: ['b@example.com'], subject: 'hi' },
    },
  ],
  'POST /_emulator/ses/account/sandbox': [
    {
      call: (c) => c.ses.setSandbox({ sandbox: false }),
      target: '/_emulator/ses/account/sandbox',
      body: { sandbox: false },
    },
  ],
  'POST /_emulator/ses/identities/{name}/mail-from-status': [
    {
      call: (c) => c.ses.setMailFromStatus('example.com', 'SUCCESS'),
      target: '/_emulator/ses/identities/example.com/mail-from-status',
      body: { status: 'SUCCESS' },
    },
  ],
  'GET /_emulator/ses/identities/{name}/dkim-public-key': [
    {
      call: (c) => c.ses.dkimPublicKey('ann@example.com'),
      target: '/_emulator/ses/identities/ann%40example.com/dkim-public-key',
    },
  ],
  'GET /_emulator/ses/metrics': [{ call: (c) => c.ses.metrics(), target: '/_emulator/ses/metrics' }],
  'GET /_emulator/ses/bounces': [{ call: (c) => c.ses.bounces(), target: '/_emulator/ses/bounces' }],
  'GET /_emulator/ses/messages/{message_id}/insights': [
    { call: (c) => c.ses.messageInsights('0100-000000'), target: '/_emulator/ses/messages/0100-000000/insights' },
  ],
  'GET /_emulator/ses/smtp/submissions': [
    { call: (c) => c.ses.smtpSubmissions(), target: '/_emulator/ses/smtp/submissions' },
  ],
  'GET /_emulator/ses/event-destinations/deliveries': [
    { call: (c) => c.ses.eventDeliveries(), target: '/_emulator/ses/event-destinations/deliveries' },
  ],
  'GET /_emulator/sns/messages': [{ call: (c) => c.sns.messages(), target: '/_emulator/sns/messages' }],
  'GET /_emulator/sns/pending-confirmations': [
    { call: (c) => c.sns.pendingConfirmations(), target: '/_emulator/sns/pending-confirmations' },
  ],
  'POST /_emulator/sns/confirm-subscription': [
    {
      call: (c) => c.sns.confirmSubscription('arn:aws:sns:us-east-1:000000000001:t:1'),
      target: '/_emulator/sns/confirm-subscription',
      body: { subscriptionArn: 'arn:aws:sns:us-east-1:000000000001:t:1' },
    },
  ],
  'GET /_emulator/sns/sms': [{ call: (c) => c.sns.sms(), target: '/_emulator/sns/sms' }],
  'POST /_emulator/sns/sms/opt-out': [
    {
      call: (c) => c.sns.optOut('+15551234567', scope),
      target: `/_emulator/sns/sms/opt-out?${scopeQuery}`,
      body: { phoneNumber: '+15551234567' },
    },
  ],
  'GET /_emulator/sns/cert.pem': [{ call: (c) => c.sns.certificate(), target: '/_emulator/sns/cert.pem' }],
  'GET /_emulator/sqs/urls': [{ call: (c) => c.sqs.urls(), target: '/_emulator/sqs/urls' }],
  'GET /_emulator/sqs/messages': [{ call: (c) => c.sqs.messages(), target: '/_emulator/sqs/messages' }],
  'POST /_emulator/sqs/expiration-processor/tick': [
    { call: (c) => c.sqs.expirationTick(), target: '/_emulator/sqs/expiration-processor/tick' },
  ],
  'POST /_emulator/sqs/{queue_name}/force-dlq': [
    { call: (c) => c.sqs.forceDlq('jobs.fifo'), target: '/_emulator/sqs/jobs.fifo/force-dlq' },
    { call: (c) => c.sqs.forceDlq('jobs', scope), target: `/_emulator/sqs/jobs/force-dlq?${scopeQuery}` },
  ],
  'POST /_emulator/ssm/commands/{command_id}/status': [
    {
      call: (c) => c.ssm.setCommandStatus('c-1', { status: 'Success', instanceId: 'i-1' }),
      target: '/_emulator/ssm/commands/c-1/status',
      body: { status: 'Success', instanceId: 'i-1' },
    },
  ],
  'POST /_emulator/ssm/commands/{command_id}/fail': [
    { call: (c) => c.ssm.failCommand('c-1'), target: '/_emulator/ssm/commands/c-1/fail' },
  ],
  'GET /_emulator/ssm/parameter-policy-events': [
    { call: (c) => c.ssm.parameterPolicyEvents(), target: '/_emulator/ssm/parameter-policy-events' },
  ],
  'DELETE /_emulator/ssm/parameter-policy-events': [
    { call: (c) => c.ssm.clearParameterPolicyEvents(), target: '/_emulator/ssm/parameter-policy-events' },
  ],
  'POST /_emulator/ssm/sessions/inject': [
    {
      call: (c) => c.ssm.injectSession({ target: 'i-1' }),
      target: '/_emulator/ssm/sessions/inject',
      body: { target: 'i-1' },
    },
  ],
  'GET /_emulator/stepfunctions/executions': [
    { call: (c) => c.stepfunctions.executions(), target: '/_emulator/stepfunctions/executions' },
  ],
  'GET /_emulator/stepfunctions/sync-executions': [
    { call: (c) => c.stepfunctions.syncExecutions(), target: '/_emulator/stepfunctions/sync-executions' },
  ],
  'GET /_emulator/stepfunctions/executions/{execution_arn}/tree': [
    {
      call: (c) => c.stepfunctions.executionTree(execution),
      target:
        '/_emulator/stepfunctions/executions/arn%3Aaws%3Astates%3Aus-east-1%3A000000000001%3Aexecution%3Aorder%3Arun-1/tree',
    },
  ],
  'POST /_emulator/stepfunctions/enqueue-activity-task': [
    {
      call: (c) =>
        c.stepfunctions.enqueueActivityTask({
          activityArn: 'arn:aws:states:us-east-1:000000000001:activity:pick',
          input: '{}',
        }),
      target: '/_emulator/stepfunctions/enqueue-activity-task',
      body: { activityArn: 'arn:aws:states:us-east-1:000000000001:activity:pick', input: '{}' },
    },
  ],
  'POST /_emulator/wafv2/evaluate': [
    {
      call: (c) => c.wafv2.evaluate(webAcl, { uri: '/', headers: { host: 'a' } }),
      target: '/_emulator/wafv2/evaluate',
      body: { webAclArn: webAcl, request: { uri: '/', headers: { host: 'a' } } },
    },
  ],
};
