import { numericKey, Paging } from '@emu/core';
import type { SecretsmanagerOperations } from '@emu/service-types/secretsmanager';
import { secretsError } from './errors.ts';
import { pagination } from './generated/secretsmanager-pagination.ts';

/** Pages of Secrets Manager's lists. */
export const paging = new Paging<SecretsmanagerOperations, typeof pagination>(pagination, {
  defaultLimit: 100,
  invalidToken: () => secretsError('InvalidNextTokenException', 'The NextToken value is invalid.'),
});

/** A key that sorts secrets in the order of their making. */
export const oldestFirst = ({ createdAt, arn }: { readonly createdAt: number; readonly arn: string }): string =>
  `${numericKey(createdAt)} ${arn}`;
