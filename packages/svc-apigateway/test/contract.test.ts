import { APIGateway } from '@aws-sdk/client-api-gateway';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';
import { mockApi } from './support.ts';

/** Creates state of every persistent kind. */
async function act(config: TestClientConfig): Promise<void> {
  const api = new APIGateway(config);
  const { restApiId } = await mockApi(api);
  await api.createModel({ restApiId, name: 'Pet', contentType: 'application/json', schema: '{"type":"object"}' });
  await api.createRequestValidator({ restApiId, name: 'all', validateRequestBody: true });
  await api.createAuthorizer({
    restApiId,
    name: 'token',
    type: 'TOKEN',
    identitySource: 'method.request.header.Authorization',
    authorizerUri: `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:000000000000:function:auth/invocations`,
  });
  await api.putGatewayResponse({ restApiId, responseType: 'DEFAULT_4XX', statusCode: '499' });
  await api.createDocumentationPart({ restApiId, location: { type: 'API' }, properties: '{"description":"x"}' });
  await api.createDocumentationVersion({ restApiId, documentationVersion: '1' });
  await api.createDeployment({ restApiId, stageName: 'dev' });
  const { id: keyId } = await api.createApiKey({ name: 'key', enabled: true });
  const { id: usagePlanId } = await api.createUsagePlan({
    name: 'plan',
    apiStages: [{ apiId: restApiId, stage: 'dev' }],
  });
  await api.createUsagePlanKey({ usagePlanId, keyId, keyType: 'API_KEY' });
  await api.updateAccount({
    patchOperations: [{ op: 'replace', path: '/cloudwatchRoleArn', value: 'arn:aws:iam::000000000000:role/logs' }],
  });
  await api.createVpcLink({
    name: 'link',
    targetArns: ['arn:aws:elasticloadbalancing:us-east-1:000000000000:loadbalancer/net/a/b'],
  });
  await api.generateClientCertificate({ description: 'c' });
  await api.createDomainName({
    domainName: 'api.example.com',
    regionalCertificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/1',
  });
  await api.createBasePathMapping({ domainName: 'api.example.com', restApiId, stage: 'dev' });
}

/** Returns its visible state. */
async function observe(config: TestClientConfig): Promise<unknown> {
  const api = new APIGateway(config);
  const { items = [] } = await api.getRestApis({});
  const seen: unknown[] = [items, (await api.getAccount({})).cloudwatchRoleArn];
  for (const { id: restApiId } of items)
    seen.push(
      (await api.getResources({ restApiId, embed: ['methods'] })).items,
      (await api.getModels({ restApiId })).items,
      (await api.getRequestValidators({ restApiId })).items,
      (await api.getAuthorizers({ restApiId })).items,
      (await api.getGatewayResponse({ restApiId, responseType: 'DEFAULT_4XX' })).statusCode,
      (await api.getDocumentationParts({ restApiId })).items,
      (await api.getDocumentationVersions({ restApiId })).items,
      (await api.getDeployments({ restApiId })).items,
      (await api.getStages({ restApiId })).item,
    );
  const plans = (await api.getUsagePlans({})).items ?? [];
  seen.push((await api.getApiKeys({ includeValues: true })).items, plans);
  for (const { id: usagePlanId } of plans) seen.push((await api.getUsagePlanKeys({ usagePlanId })).items);
  seen.push((await api.getVpcLinks({})).items, (await api.getClientCertificates({})).items);
  const domains = (await api.getDomainNames({})).items ?? [];
  seen.push(domains);
  for (const { domainName } of domains) seen.push((await api.getBasePathMappings({ domainName })).items);
  return seen;
}

describeServiceContract({ manifest, scope: 'region', act, observe });
