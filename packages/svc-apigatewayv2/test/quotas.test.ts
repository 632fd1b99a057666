import { enforceQuota } from '@emu/gateway/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiTest, startApis } from './support.ts';

let test: ApiTest;
beforeAll(async () => {
  test = await startApis();
});
afterAll(() => test[Symbol.asyncDispose]());

const full = (limit: number, name: string) => ({
  name: 'TooManyRequestsException',
  message: `The limit of ${limit} is reached: ${name}`,
});

it('limits routes per HTTP API, and VPC links per account', async () => {
  const ApiId = await test.create();
  await enforceQuota(test.emulator, 'apigateway/L-65B5C802', 1);
  await test.api.createRoute({ ApiId, RouteKey: 'GET /a' });
  await expect(test.api.createRoute({ ApiId, RouteKey: 'GET /b' })).rejects.toMatchObject(full(1, 'Routes per API'));
  await enforceQuota(test.emulator, 'apigateway/L-668C9B28', 1);
  const SubnetIds = ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'];
  await expect(test.api.createVpcLink({ Name: 'l', SubnetIds })).rejects.toMatchObject(full(1, 'Subnets per VPC link'));
  await enforceQuota(test.emulator, 'apigateway/L-608BDCD4', 0);
  const link = test.api.createVpcLink({ Name: 'l', SubnetIds: SubnetIds.slice(1) });
  await expect(link).rejects.toMatchObject(full(0, 'VPC links per account per Region'));
});

it('limits routing rules per domain name', async () => {
  const ApiId = await test.create();
  const DomainName = 'rules.example.com';
  const CertificateArn = 'arn:aws:acm:us-east-1:000000000000:certificate/c';
  await test.api.createDomainName({ DomainName, DomainNameConfigurations: [{ CertificateArn }] });
  await enforceQuota(test.emulator, 'apigateway/L-68B79FF0', 1);
  const rule = (Priority: number) =>
    test.api.createRoutingRule({
      DomainName,
      Priority,
      Conditions: [{ MatchBasePaths: { AnyOf: ['a'] } }],
      Actions: [{ InvokeApi: { ApiId, Stage: '$default' } }],
    });
  await rule(1);
  await expect(rule(2)).rejects.toMatchObject(full(1, 'Routing rules per domain'));
});
