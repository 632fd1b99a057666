import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { APIGateway } from '@aws-sdk/client-api-gateway';
import { ApiGatewayV2 } from '@aws-sdk/client-apigatewayv2';
import { createTestEmulator, refusal, sendRaw } from '@emu/gateway/testing';
import { manifest as restManifest } from '@emu/svc-apigateway/manifest';
import { manifest as httpManifest } from '@emu/svc-apigatewayv2/manifest';
import { expect, it } from 'vitest';

const TARGET = 'arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/net/a/b';

it('private integrations use the host of their URI while the VPC link of either kind exists', async () => {
  await using emulator = await createTestEmulator({ manifests: [restManifest, httpManifest] });
  const server = createServer((request, response) => {
    response.end(`private ${request.url}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/inside`;
  const config = { ...emulator.clientConfig(), maxAttempts: 1 };
  const rest = new APIGateway(config);
  const http = new ApiGatewayV2(config);
  const api = async (connectionId: string): Promise<{ restApiId: string; resourceId: string }> => {
    const { id, rootResourceId } = await rest.createRestApi({ name: 'private' });
    const place = { restApiId: id!, resourceId: rootResourceId!, httpMethod: 'GET' };
    await rest.putMethod({ ...place, authorizationType: 'NONE' });
    const integration = { type: 'HTTP_PROXY', integrationHttpMethod: 'GET', uri, connectionType: 'VPC_LINK' } as const;
    await rest.putIntegration({ ...place, ...integration, connectionId });
    await rest.createDeployment({ restApiId: id, stageName: 'dev' });
    return place;
  };
  const get = (id: string) => sendRaw(emulator, { method: 'GET', target: `/_aws/execute-api/${id}/dev` });

  const link = await rest.createVpcLink({ name: 'link', targetArns: [TARGET] });
  const first = await api(link.id!);
  expect(await get(first.restApiId)).toMatchObject({ status: 200, text: 'private /inside' });
  expect((await refusal(rest.deleteVpcLink({ vpcLinkId: link.id }))).message).toBe(
    `Cannot delete vpc link. Vpc link '${link.id}', is referenced in [${first.restApiId}:GET:${first.resourceId}:dev] in format of [RESTApiId:Method:Resource:Stage].`,
  );
  await rest.deleteStage({ restApiId: first.restApiId, stageName: 'dev' });
  await rest.deleteVpcLink({ vpcLinkId: link.id });

  const { VpcLinkId } = await http.createVpcLink({ Name: 'v2', SubnetIds: ['subnet-0123456789abcdef0'] });
  const second = await api(VpcLinkId!);
  expect(await get(second.restApiId)).toMatchObject({ status: 200, text: 'private /inside' });
  await http.deleteVpcLink({ VpcLinkId });
  expect((await get(second.restApiId)).status).toBe(500);
  await new Promise((resolve) => server.close(resolve));
});
