import { Paging } from '@emu/core/service';
import type { DynamodbOperations } from '@emu/service-types/dynamodb';
import { invalid } from './errors.ts';
import { pagination } from './generated/dynamodb-pagination.ts';

/** Pagination of lists with opaque tokens; lists with a key as start parameter are not included. */
export const paging = new Paging<DynamodbOperations, typeof pagination>(pagination, {
  defaultLimit: 100,
  invalidToken: () => invalid('Invalid NextToken'),
});

/** Length of token groups in ListImports: at least seven groups of 16 hexadecimal digits. */
const GROUP = 16;
const MIN_LENGTH = 112;

/** Encodes a token of ListImports. */
export function hexToken(token: string): string {
  const hex = Buffer.from(token).toString('hex');
  return hex.padEnd(Math.max(MIN_LENGTH, Math.ceil(hex.length / GROUP) * GROUP), '0');
}

/** Decodes a token of ListImports. */
export const tokenOfHex = (hex: string): string => Buffer.from(hex, 'hex').toString().replace(/\0+$/, '');
