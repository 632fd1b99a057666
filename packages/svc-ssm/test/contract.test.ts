import { SSM } from '@aws-sdk/client-ssm';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

/** Makes state of every kind that persists. */
async function act(config: TestClientConfig): Promise<void> {
  const ssm = new SSM(config);
  await ssm.putParameter({ Name: '/app/a', Value: 'one', Type: 'String', Tags: [{ Key: 'team', Value: 'orders' }] });
  await ssm.putParameter({ Name: '/app/a', Value: 'two', Overwrite: true, Description: 'changed' });
  await ssm.labelParameterVersion({ Name: '/app/a', ParameterVersion: 1, Labels: ['old'] });
  await ssm.putParameter({ Name: 'list', Value: 'x,y', Type: 'StringList', Tier: 'Advanced' });
  await ssm.updateServiceSetting({
    SettingId: '/ssm/parameter-store/default-parameter-tier',
    SettingValue: 'Intelligent-Tiering',
  });
}

/** What can be seen of it. */
async function observe(config: TestClientConfig): Promise<unknown> {
  const ssm = new SSM(config);
  const { Parameters } = await ssm.describeParameters({});
  const details = [];
  for (const { Name } of Parameters!) {
    const { TagList } = await ssm.listTagsForResource({ ResourceType: 'Parameter', ResourceId: Name });
    details.push([(await ssm.getParameterHistory({ Name })).Parameters, TagList]);
  }
  const SettingId = '/ssm/parameter-store/default-parameter-tier';
  const { ServiceSetting } = await ssm.getServiceSetting({ SettingId });
  return { Parameters, details, tier: ServiceSetting!.SettingValue };
}

describeServiceContract({ manifest, scope: 'region', act, observe });
