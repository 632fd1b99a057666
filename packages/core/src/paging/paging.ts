import type { AwsError } from '@emu/wire';
import { Pager } from './pager.ts';

/** Members by which an operation is paged, as `tools/model-gen` writes them from botocore's paginators. */
export interface Pagination {
  /** Member of the input that says where the page begins. */
  readonly token: string;
  /** Member of the output that says where the next page begins. */
  readonly next: string;
  /** Member of the input that limits the items of a page; absent where the service alone decides. */
  readonly limit?: string;
  /** Member of the output that says whether there is a next page. */
  readonly more?: string;
  /** Members of the output that hold the items. */
  readonly result: string | readonly string[];
}

/** What a service says of its pages; the rest is in its `Pagination` table. */
export interface PagingRules {
  /** Items of a page where neither the request nor the operation says how many. */
  readonly defaultLimit: number;
  /** Most items of a page, whatever the request asks for, where the operation does not say; as many as it asks for by default. */
  readonly maxLimit?: number;
  /**
   * What is thrown for a token that the operation did not give to a request with these other parameters.
   * @param operation which was sent the token
   */
  invalidToken(token: string, operation: string): AwsError;
  /** Operations whose tokens are good whatever the other parameters are, as those of S3's objects. */
  readonly anyParameters?: readonly string[];
}

/** What an operation says of its pages where it differs from the service's others. */
export interface PageSize {
  /** Items of a page where the request does not say; the service's by default. */
  readonly defaultLimit?: number | undefined;
  /** Most items of a page, whatever the request asks for; the service's by default. */
  readonly maxLimit?: number | undefined;
  /** Whether the item of the greatest key comes first. */
  readonly descending?: boolean | undefined;
}

/** The types of a service's operations. */
type OperationsOf<Operations> = { [Name in keyof Operations]: { input: unknown; output: unknown } };
type Named<Table, Operations> = keyof Table & keyof Operations & string;
type Output<Operations extends OperationsOf<Operations>, Name extends keyof Operations> = Operations[Name]['output'];
type Names<Member> = Member extends string ? Member : never;
type MemberOf<Entry, Field extends string> = Field extends keyof Entry ? Names<Entry[Field]> : never;
type Entry<List> = List extends readonly (infer Item)[] ? Item : never;

/** Members of an output that say where the next page begins. */
export type NextOf<Output, Members> = Pick<
  Output,
  Extract<MemberOf<Members, 'next'> | MemberOf<Members, 'more'>, keyof Output>
>;

/** A page of an operation's list. */
export interface OperationPage<Item, Output, Members> {
  items: Item[];
  /** Members of the answer that say where the next page begins. */
  next: NextOf<Output, Members>;
  /**
   * The answer, as far as paging is concerned.
   * @param entry what the answer says of an item
   */
  list(
    entry: (item: Item) => Entry<NonNullable<Output[Extract<MemberOf<Members, 'result'>, keyof Output>]>>,
  ): Pick<Output, Extract<MemberOf<Members, 'result'>, keyof Output>> & NextOf<Output, Members>;
}

/**
 * The pages of a service's operations. Tokens are opaque and hold the key of the last item of the page before, so that
 * what is made or deleted in between neither repeats nor skips others. They are good for the operation that gave them
 * and for its other parameters only; anything else is refused in the service's words.
 */
export class Paging<
  Operations extends OperationsOf<Operations>,
  Table extends { readonly [Name in keyof Table]: Pagination },
> {
  /**
   * @param pagination the generated table of the service
   * @param rules the service's words and numbers
   */
  constructor(
    readonly pagination: Table,
    readonly rules: PagingRules,
  ) {}

  /**
   * One page of an operation's list, in order of the items' keys.
   * @param input of the operation; its token and limit are found by the table
   * @param items everything there is to list
   * @param keyOf what tells an item from all others of the list
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
   * The key that a request's page comes after, for lists that find their items by the key themselves.
   * @returns undefined for the first page
   * @throws AwsError of the service's `invalidToken`
   */
  after<Name extends Named<Table, Operations>>(operation: Name, input: Operations[Name]['input']): string | undefined {
    const given = input as Readonly<Record<string, unknown>>;
    const token = given[this.pagination[operation].token] as string | undefined;
    return token ? this.pagerOf(operation).read(this.listOf(operation, given), token) : undefined;
  }

  /**
   * Members of the answer that say where the page after an item begins.
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

  /** What tells the list of a request from all others: the operation and what it is asked for. */
  private listOf(operation: Named<Table, Operations>, input: Readonly<Record<string, unknown>>): string {
    if (this.rules.anyParameters?.includes(operation)) return operation;
    const { token, limit } = this.pagination[operation];
    const asked = Object.entries(input).filter(
      ([name, value]) => name !== token && name !== limit && value !== undefined,
    );
    return `${operation} ${JSON.stringify(asked.sort(([a], [b]) => (a < b ? -1 : 1)))}`;
  }
}

/** What the pages of a service follow, whatever its operations are. */
export interface AnyPaging {
  readonly pagination: Readonly<Record<string, Pagination>>;
  readonly rules: PagingRules;
}
