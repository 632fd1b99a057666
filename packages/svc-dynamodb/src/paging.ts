import { Paging } from '@emu/core';
import type { DynamodbOperations } from '@emu/service-types/dynamodb';
import { invalid } from './context.ts';
import { pagination } from './generated/dynamodb-pagination.ts';

/** Pages of the lists whose tokens are opaque; those that go by a key the client knows have none. */
export const paging = new Paging<DynamodbOperations, typeof pagination>(pagination, {
  defaultLimit: 100,
  invalidToken: () => invalid('Invalid NextToken'),
});

/** The shape that tokens of ListImports have: groups of 16 hexadecimal digits, at least seven of them. */
const GROUP = 16;
const MIN_LENGTH = 112;

/** A token as ListImports writes it. */
export function hexToken(token: string): string {
  const hex = Buffer.from(token).toString('hex');
  return hex.padEnd(Math.max(MIN_LENGTH, Math.ceil(hex.length / GROUP) * GROUP), '0');
}

/** The token that ListImports has written so. */
export const tokenOfHex = (hex: string): string => Buffer.from(hex, 'hex').toString().replace(/\0+$/, '');
