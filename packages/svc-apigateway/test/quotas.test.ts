import * as sdk from '@aws-sdk/client-api-gateway';
import { enforceQuota, sendRaw, type TestEmulator } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mockApi, start } from './support.ts';

const full = (things: string, rest = '') => ({
  name: 'LimitExceededException',
  message: `Maximum number of ${things}${rest} has been reached.  Please contact AWS if you need additional ${things}.`,
});

describe('quotas of REST APIs', () => {
  let emulator: TestEmulator;
  let api: sdk.APIGateway;
  beforeAll(async () => {
    ({ emulator, api } = await start());
  });
  afterAll(() => emulator.close());

  it('limit resources per API', async () => {
    const { restApiId, rootResourceId: parentId, resourceId } = await mockApi(api);
    await enforceQuota(emulator, 'apigateway/L-01C8A9E0', 2);
    const create = () => api.createResource({ restApiId, parentId, pathPart: 'more' });
    await expect(create()).rejects.toMatchObject(full('Resources', ' for this API'));
    await api.deleteResource({ restApiId, resourceId });
    expect((await create()).path).toBe('/more');
  });

  it('limit stages per API, by every way of creation', async () => {
    await enforceQuota(emulator, 'apigateway/L-01C8A9E0', 300);
    const { restApiId } = await mockApi(api);
    await enforceQuota(emulator, 'apigateway/L-379E48B0', 1);
    const { id: deploymentId } = await api.createDeployment({ restApiId, stageName: 'one' });
    const refusal = full('Stages', ' for this API');
    await expect(api.createStage({ restApiId, deploymentId, stageName: 'two' })).rejects.toMatchObject(refusal);
    await expect(api.createDeployment({ restApiId, stageName: 'two' })).rejects.toMatchObject(refusal);
    await api.createDeployment({ restApiId, stageName: 'one' });
    expect((await api.getStages({ restApiId })).item?.map(({ stageName }) => stageName)).toEqual(['one']);
  });

  it('limit usage plans, VPC links and client certificates per account', async () => {
    for (const code of ['L-E8693075', 'L-A4C7274F', 'L-824C9E42'])
      await enforceQuota(emulator, `apigateway/${code}`, 0);
    await expect(api.createUsagePlan({ name: 'p' })).rejects.toMatchObject(full('Usage Plans'));
    const targetArns = ['arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/net/a/b'];
    await expect(api.createVpcLink({ name: 'l', targetArns })).rejects.toMatchObject(full('VPC Links'));
    await expect(api.generateClientCertificate({})).rejects.toMatchObject(full('Client Certificates'));
    expect((await api.getUsagePlans({})).items).toEqual([]);
  });

  it('limit APIs per account, separately by kind', async () => {
    for (const code of ['L-AA0FF27B', 'L-B97207D0', 'L-A966AB5C'])
      await enforceQuota(emulator, `apigateway/${code}`, 0, { region: 'eu-west-1' });
    const europe = new sdk.APIGateway(emulator.clientConfig({ region: 'eu-west-1' }));
    const create = (...types: sdk.EndpointType[]) =>
      europe.createRestApi({ name: 'a', ...(types.length > 0 && { endpointConfiguration: { types } }) });
    await expect(create('REGIONAL')).rejects.toMatchObject(full('REST APIs'));
    await expect(create()).rejects.toMatchObject(full('REST APIs'));
    await expect(create('PRIVATE')).rejects.toMatchObject(full('REST APIs'));
    const parameters = { endpointConfigurationTypes: 'REGIONAL' };
    const body = JSON.stringify({ openapi: '3.0.1', info: { title: 'a' }, paths: {} });
    await expect(europe.importRestApi({ body, parameters })).rejects.toMatchObject(full('REST APIs'));
    await enforceQuota(emulator, 'apigateway/L-AA0FF27B', 1, { region: 'eu-west-1' });
    await create('REGIONAL');
    await expect(create('REGIONAL')).rejects.toMatchObject(full('REST APIs'));
    expect((await europe.getRestApis({})).items).toHaveLength(1);
  });

  it('limit API keys per account, and usage plans per key', async () => {
    await enforceQuota(emulator, 'apigateway/L-E8693075', 300);
    await enforceQuota(emulator, 'apigateway/L-1D180A63', 1);
    await enforceQuota(emulator, 'apigateway/L-985EB478', 1);
    const { id: keyId } = await api.createApiKey({ name: 'k' });
    await expect(api.createApiKey({ name: 'l' })).rejects.toMatchObject(full('API Keys'));
    const plans = await Promise.all(['p', 'q'].map((name) => api.createUsagePlan({ name })));
    const add = (usagePlanId?: string) => api.createUsagePlanKey({ usagePlanId, keyId, keyType: 'API_KEY' });
    await add(plans[0]!.id);
    await expect(add(plans[1]!.id)).rejects.toMatchObject(full('Usage Plans'));
    await api.deleteUsagePlanKey({ usagePlanId: plans[0]!.id, keyId });
    expect((await add(plans[1]!.id)).name).toBe('k');
  });

  it('limit custom domain names per account, private ones separately, and their associations', async () => {
    for (const code of ['L-A93447B8', 'L-24E7E662', 'L-4D98A8A5'])
      await enforceQuota(emulator, `apigateway/${code}`, 1);
    const regionalCertificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/1';
    const create = (domainName: string) => api.createDomainName({ domainName, regionalCertificateArn });
    const createPrivate = (domainName: string) =>
      api.createDomainName({ domainName, endpointConfiguration: { types: ['PRIVATE'] } });
    await create('one.example.com');
    const { domainNameArn } = await createPrivate('p.example.com');
    for (const more of [create('two.example.com'), createPrivate('q.example.com')])
      await expect(more).rejects.toMatchObject(full('Custom Domain Names'));
    const associate = (accessAssociationSource: string) =>
      api.createDomainNameAccessAssociation({
        domainNameArn,
        accessAssociationSourceType: 'VPCE',
        accessAssociationSource,
      });
    await associate('vpce-1');
    await expect(associate('vpce-2')).rejects.toMatchObject(full('Domain Name Access Associations'));
  });

  it('limit requests per second per account', async () => {
    const { restApiId } = await mockApi(api);
    await enforceQuota(emulator, 'apigateway/L-379E48B0', 10);
    await api.createDeployment({ restApiId, stageName: 'rate' });
    await enforceQuota(emulator, 'apigateway/L-8A5B8E43', 4);
    emulator.kernel.clock.freeze();
    const get = async () => (await sendRaw(emulator, { method: 'GET', target })).status;
    const target = `/_aws/execute-api/${restApiId}/rate/pets`;
    expect([await get(), await get(), await get()]).toEqual([200, 200, 429]);
    await emulator.kernel.clock.advance(1000);
    expect([await get(), await get(), await get()]).toEqual([200, 200, 429]);
  });
});
