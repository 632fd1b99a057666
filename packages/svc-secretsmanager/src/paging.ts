import { numericKey, Paging } from '@emu/core/service';
import type { SecretsmanagerOperations } from '@emu/service-types/secretsmanager';
import { secretsmanagerError } from './errors.ts';
import { pagination } from './generated/secretsmanager-pagination.ts';

/** Paging of Secrets Manager's lists. */
export const paging = new Paging<SecretsmanagerOperations, typeof pagination>(pagination, {
  defaultLimit: 100,
  invalidToken: () => secretsmanagerError('InvalidNextTokenException', 'The NextToken value is invalid.'),
});

/** Returns a key that sorts secrets by creation. */
export const oldestFirst = ({ createdAt, arn }: { readonly createdAt: number; readonly arn: string }): string =>
  `${numericKey(createdAt)} ${arn}`;
