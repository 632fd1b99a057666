import { enforceQuota } from '@emu/gateway/testing';
import { expect, test } from 'vitest';
import { failureOf, startLogs } from './support.ts';

test('rejects groups beyond the quota', async () => {
  await using t = await startLogs();
  await t.group('one');
  await enforceQuota(t.emulator, 'logs/L-C7B9AAAB', 1);
  expect(await failureOf(t.group('two'))).toBe('LimitExceededException: Resource limit exceeded.');
  expect(await failureOf(t.group('one'))).toMatch('ResourceAlreadyExistsException');
  await t.logs.deleteLogGroup({ logGroupName: 'one' });
  await t.group('two');
});

test('enforces rates per second', async () => {
  await using t = await startLogs();
  await enforceQuota(t.emulator, 'logs/L-3F243AD0', 2);
  await t.group('g');
  await t.logs.describeLogStreams({ logGroupName: 'g' });
  await t.logs.describeLogStreams({ logGroupName: 'g' });
  expect(await failureOf(t.logs.describeLogStreams({ logGroupName: 'g' }))).toBe('ThrottlingException: Rate exceeded');
  await t.advance(1);
  await t.logs.describeLogStreams({ logGroupName: 'g' });
});
