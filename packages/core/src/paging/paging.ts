import type { AwsError } from '@emu/wire';
import { Pager } from './pager.ts';
import { listIdentity } from './spellings.ts';

/** Paging members of an operation, written by `tools/model-gen` from botocore's paginators. */
export interface Pagination {
  /** Input member with the token of the page. */
  readonly token: string;
  /** Output member with the token of the next page. */
  readonly next: string;
  /** Input member that limits the items of a page; absent if only the service decides. */
  readonly limit?: string;
  /** Output member that is true if a next page exists. */
  readonly more?: string;
  /** Output members with the items. */
  readonly result: string | readonly string[];
}

/** Paging rules of a service; the rest is in its `Pagination` table. */
export interface PagingRules {
  /** Items of a page if neither the request nor the operation has a limit. */
  readonly defaultLimit: number;
  /** Maximum of items for any requested limit, for operations without their own maximum; unlimited by default. */
  readonly maxLimit?: number;
  /**
   * Returns the error for a token that is invalid, or that belongs to other parameters of the operation.
   * @param operation operation that received the token
   */
  invalidToken(token: string, operation: string): AwsError;
  /** Operations whose tokens are valid with any other parameters, as for S3's objects. */
  readonly anyParameters?: readonly string[];
}

/** Paging rules of one operation, where they differ from the service's. */
export interface PageSize {
  /** Items of a page without a requested limit; the service's by default. */
  readonly defaultLimit?: number | undefined;
  /** Maximum of items for any requested limit; the service's by default. */
  readonly maxLimit?: number | undefined;
  /** Whether the list is in descending order of keys. */
  readonly descending?: boolean | undefined;
}

/** The types of a service's operations. */
type OperationsOf<Operations> = { [Name in keyof Operations]: { input: unknown; output: unknown } };
type Named<Table, Operations> = keyof Table & keyof Operations & string;
type Output<Operations extends OperationsOf<Operations>, Name extends keyof Operations> = Operations[Name]['output'];
type Names<Member> = Member extends string ? Member : never;
type MemberOf<Entry, Field extends string> = Field extends keyof Entry ? Names<Entry[Field]> : never;
type Entry<List> = List extends readonly (infer Item)[] ? Item : never;

/** Output members with tokens of the next page. */
export type NextOf<Output, Members> = Pick<
  Output,
  Extract<MemberOf<Members, 'next'> | MemberOf<Members, 'more'>, keyof Output>
>;

/** A page of an operation's list. */
export interface OperationPage<Item, Output, Members> {
  items: Item[];
  /** Output members with the token of the next page. */
  next: NextOf<Output, Members>;
  /**
   * Returns the members of the output that concern paging.
   * @param entry returns the output's entry of an item
   */
  list(
    entry: (item: Item) => Entry<NonNullable<Output[Extract<MemberOf<Members, 'result'>, keyof Output>]>>,
  ): Pick<Output, Extract<MemberOf<Members, 'result'>, keyof Output>> & NextOf<Output, Members>;
}

/**
 * Pages the lists of a service's operations. Tokens are opaque and contain the key of the last item of the previous
 * page, so that items created or deleted in between are neither repeated nor skipped. They are valid only for the
 * operation that returned them and its other parameters, in any spelling of a resource; any other token is rejected with
 * the service's error.
 */
export class Paging<
  Operations extends OperationsOf<Operations>,
  Table extends { readonly [Name in keyof Table]: Pagination },
> {
  /**
   * @param pagination generated table of the service
   * @param rules paging rules of the service
   */
  constructor(
    readonly pagination: Table,
    readonly rules: PagingRules,
  ) {}

  /**
   * Returns one page of an operation's list, in order of the items' keys.
   * @param input input of the operation; the table names its token and limit
   * @param items all items of the list
   * @param keyOf returns the unique key of an item
   * @throws AwsError of the service's `invalidToken`
   */
  page<Name extends Named<Table, Operations>, Item>(
    operation: Name,
    input: Partial<Operations[Name]['input']>,
    items: Iterable<Item>,
    keyOf: (item: Item) => string,
    { defaultLimit, maxLimit, descending }: PageSize = {},
  ): OperationPage<Item, Output<Operations, Name>, Table[Name]> {
    const { limit: limitMember, token: tokenMember, result } = this.pagination[operation];
    const given = input as Readonly<Record<string, unknown>>;
    const page = this.pagerOf(operation).page(() => this.listOf(operation, given), items, keyOf, {
      token: given[tokenMember] as string | undefined,
      limit: ((limitMember && given[limitMember]) || defaultLimit) as number | undefined,
      maxLimit: maxLimit ?? this.rules.maxLimit,
      descending,
    });
    const next = this.membersOf(operation, page.nextToken);
    return {
      items: page.items,
      next,
      list: (entry) => ({ [result as string]: page.items.map((item) => entry(item)), ...next }) as never,
    };
  }

  /**
   * Returns the exclusive start key of a request's page, for lists that look up their items by key themselves.
   * @returns undefined for the first page
   * @throws AwsError of the service's `invalidToken`
   */
  after<Name extends Named<Table, Operations>>(
    operation: Name,
    input: Partial<Operations[Name]['input']>,
  ): string | undefined {
    const given = input as Readonly<Record<string, unknown>>;
    const token = given[this.pagination[operation].token] as string | undefined;
    return token ? this.pagerOf(operation).read(this.listOf(operation, given), token) : undefined;
  }

  /**
   * Returns the output members for the page after an item.
   * @param last key of the page's last item; undefined on the last page
   */
  next<Name extends Named<Table, Operations>>(
    operation: Name,
    input: Partial<Operations[Name]['input']>,
    last: string | undefined,
  ): NextOf<Output<Operations, Name>, Table[Name]> {
    const given = input as Readonly<Record<string, unknown>>;
    const token = last === undefined ? last : this.pagerOf(operation).write(this.listOf(operation, given), last);
    return this.membersOf(operation, token);
  }

  private membersOf<Name extends Named<Table, Operations>>(
    operation: Name,
    token: string | undefined,
  ): NextOf<Output<Operations, Name>, Table[Name]> {
    const { next, more } = this.pagination[operation];
    return { ...(token !== undefined && { [next]: token }), ...(more && { [more]: token !== undefined }) } as never;
  }

  private pagerOf(operation: string): Pager {
    const { defaultLimit } = this.rules;
    return new Pager({ defaultLimit, invalidToken: (token) => this.rules.invalidToken(token, operation) });
  }

  /** Returns the identity of a request's list: the operation and its other parameters. */
  private listOf(operation: Named<Table, Operations>, input: Readonly<Record<string, unknown>>): string {
    if (this.rules.anyParameters?.includes(operation)) return operation;
    const { token, limit } = this.pagination[operation];
    const asked = Object.entries(input).filter(
      ([name, value]) => name !== token && name !== limit && value !== undefined,
    );
    return `${operation} ${listIdentity(asked)}`;
  }
}

/** Paging of a service, for any of its operations. */
export interface AnyPaging {
  readonly pagination: Readonly<Record<string, Pagination>>;
  readonly rules: PagingRules;
}
