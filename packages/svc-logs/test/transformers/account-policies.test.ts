import { describe, expect, it } from 'vitest';
import { failureOf, startLogs } from '../support.ts';

describe('transformers of the account', () => {
  const policy = (policyName: string, document: unknown, selectionCriteria?: string) => ({
    policyName,
    policyType: 'TRANSFORMER_POLICY' as const,
    policyDocument: JSON.stringify(document),
    ...(selectionCriteria !== undefined && { selectionCriteria }),
  });
  const adding = (value: string) => [{ parseJSON: {} }, { addKeys: { entries: [{ key: 'made', value }] } }];

  it('apply to groups without their own', async () => {
    await using test = await startLogs();
    const { logs } = test;
    for (const name of ['app-a', 'app-b', 'web']) await test.group(name, 's');
    await logs.putAccountPolicy(policy('apps', adding('account'), 'LogGroupNamePrefix IN ["app"]'));
    await logs.putTransformer({ logGroupIdentifier: 'app-b', transformerConfig: adding('group') });
    const by = async (name: string) => {
      await test.put(name, 's', '{"n":1}');
      const { queryId } = await logs.startQuery({
        logGroupName: name,
        queryString: 'fields made',
        startTime: 0,
        endTime: Math.ceil(test.now / 1000),
      });
      for (;;) {
        const { status, results } = await logs.getQueryResults({ queryId });
        if (status === 'Complete') return results![0]!.find(({ field }) => field === 'made')?.value;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    expect([await by('app-a'), await by('app-b'), await by('web')]).toEqual(['account', 'group', undefined]);
    await logs.deleteAccountPolicy({ policyName: 'apps', policyType: 'TRANSFORMER_POLICY' });
    await test.group('app-c', 's');
    expect(await by('app-c')).toBeUndefined();
  });

  it('rejects invalid or overlapping ones', async () => {
    await using test = await startLogs();
    const put = (...input: Parameters<typeof policy>) => failureOf(test.logs.putAccountPolicy(policy(...input)));
    expect(await put('none', { no: 'list' })).toMatch(/^InvalidParameterException: /);
    expect(await put('none', [{ addKeys: { entries: 'x' } }])).toMatch(/^InvalidParameterException: /);
    expect(await put('none', adding('x'), 'LogGroupName IN ["app"]')).toBe(
      'InvalidParameterException: The specified selection criteria is not valid.',
    );
    await test.logs.putAccountPolicy(policy('app', adding('x'), 'LogGroupNamePrefix IN ["app"]'));
    expect(await put('other', adding('x'), 'LogGroupNamePrefix IN ["web", "app-a"]')).toBe(
      'InvalidParameterException: The log groups of the policy overlap with those of the policy app.',
    );
    expect(await put('all', adding('x'))).toMatch(/overlap/);
    await test.logs.putAccountPolicy(policy('web', adding('x'), 'LogGroupNamePrefix IN ["web"]'));
    const { accountPolicies } = await test.logs.describeAccountPolicies({ policyType: 'TRANSFORMER_POLICY' });
    expect(accountPolicies!.map(({ policyName }) => policyName)).toEqual(['app', 'web']);
  });
});
