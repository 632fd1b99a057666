import { expect, test } from 'vitest';
import { createIds } from '../src/index.ts';
import { accountOfAccessKeyId, newAccessKeyId } from '../src/service.ts';

test.each(['000000000000', '000000000001', '123456789012', '999999999999'])(
  'encodes account %s in an id',
  (account) => {
    const ids = createIds();
    for (const prefix of ['AKIA', 'ASIA'] as const) {
      const id = newAccessKeyId(prefix, account, ids);
      expect(id).toMatch(new RegExp(`^${prefix}[A-Z2-7]{16}$`));
      expect(accountOfAccessKeyId(id)).toBe(account);
      expect(newAccessKeyId(prefix, account, ids)).not.toBe(id);
    }
  },
);

test("decodes AWS's ids by the same scheme", () => {
  expect(accountOfAccessKeyId('ASIAQNZGKIQY56JQ7WML')).toBe('029608264753');
  expect(accountOfAccessKeyId('AKIAIOSFODNN7EXAMPLE')).toBe('581039954779');
});

test.each(['', 'AKIA', 'AIDAQNZGKIQY56JQ7WML', 'ASIAQNZGKIQY56JQ7WM1', 'ASIA7777777777777777'])(
  'returns undefined for %j',
  (id) => {
    expect(accountOfAccessKeyId(id)).toBeUndefined();
  },
);
