import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type DynamoTest, makeIndexed, startDynamo } from './support.ts';

const LEFT_OVER = "Statement wasn't well formed, can't be processed: Unexpected token after expression";
const UNREADABLE = "Statement wasn't well formed, can't be processed: ";
const OVERFLOW = 'Number overflow. Attempting to store a number with magnitude larger than supported range';

/** Statements that DynamoDB rejects, with its messages; the tables are those of `makeIndexed`. */
const REFUSED: [statement: string, message: string][] = [
  [`SELECT * FROM tab WHERE a = 'x' foo`, LEFT_OVER],
  [`SELECT * FROM tab WHERE a = 'x')`, LEFT_OVER],
  [`INSERT INTO tab VALUE {'a': 'x'} foo`, LEFT_OVER],
  [`DELETE FROM tab WHERE a = 'x' ORDER BY a`, LEFT_OVER],
  [`SELECT * FROM tab WHERE a = 'x' # note`, UNREADABLE],
  [`SELECT * FROM tab WHERE a = 'x' /* note`, UNREADABLE],
  [`SELECT * FROM tab WHERE n = 1e2147483648`, UNREADABLE],
  [`SELECT * FROM tab WHERE n = 1.5e-2147483647`, UNREADABLE],
  [`SELECT * FROM "tab" t WHERE a = 'x'`, 'Aliasing is not supported'],
  [`SELECT * FROM "tab" AS t WHERE a = 'x'`, 'Aliasing is not supported'],
  [`UPDATE "tab" t SET b = 3 WHERE a = 'x'`, 'Aliasing is not supported'],
  [`DELETE FROM "tab" t WHERE a = 'x'`, 'Aliasing is not supported'],
  [`SELECT * FROM tab WHERE n = 1e126`, `${OVERFLOW} under root`],
  [`INSERT INTO tab VALUE {'a': 'x', 'n': 1e126}`, `${OVERFLOW} under root`],
  [`INSERT INTO tab VALUE {'a': 'x', 'm': {'x': 1e126}}`, `${OVERFLOW} under root.x`],
  [`INSERT INTO tab VALUE {'a': 'x', 'l': [1, 1e126]}`, `${OVERFLOW} under root[1]`],
  [
    `SELECT * FROM tab WHERE n < true`,
    'Incorrect operand type for operator or function; operator or function: <, operand type: BOOL',
  ],
  [
    `SELECT * FROM tab WHERE attribute_exists('ss')`,
    'Operator or function requires a document path; operator or function: attribute_exists',
  ],
  [
    `UPDATE tab SET t = set_add(ss, <<'x'>>) WHERE a = 'u'`,
    'The first argument to SET_ADD must equal the assignment value at 1:20:7',
  ],
  [
    `UPDATE tab SET ss = set_add(ss, ['x']) WHERE a = 'u'`,
    'The second argument to SET_ADD must be a value with type SET at 1:29:2',
  ],
  [`UPDATE tab SET ss = set_delete(ss) WHERE a = 'u'`, 'SET_DELETE must have exactly two arguments at 1:21:10'],
  [`UPDATE tab SET ss = set_add(ss, <<>>) WHERE a = 'u'`, 'Empty bags are not supported'],
  [
    `UPDATE tab SET ss = set_add(ss, <<1>>) WHERE a = 'u'`,
    'An operand in the update expression has an incorrect data type',
  ],
  [
    `DELETE FROM tab WHERE a = 'x' RETURNING MODIFIED OLD *`,
    'Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in DELETE statements.',
  ],
  [
    `DELETE FROM tab WHERE a = 'x' RETURNING ALL NEW *`,
    'Invalid returning clause: RETURNING ALL NEW *. Only RETURNING ALL OLD * is allowed in DELETE statements.',
  ],
  [`SELECT * FROM "idx"."gsi"."more"`, 'A path may contain at most 2 components in the FROM clause'],
  [`SELECT * FROM "idx".""`, 'Path component cannot be an empty string'],
  [`SELECT * FROM ""`, 'Path component cannot be an empty string'],
  [
    `SELECT a FROM idx.gsi WHERE c = 'g' AND f = 'f'`,
    'One or more parameter values were invalid: Secondary index gsi does not project one or more filter attributes: [f]',
  ],
  [
    `SELECT a FROM idx.lsi WHERE a = 'p' AND f = 'f'`,
    'One or more parameter values were invalid: Secondary index lsi does not project one or more filter attributes: [f]',
  ],
  [`SELECT * FROM idx.nothing`, 'The table does not have the specified index'],
  [
    `SELECT f, g FROM idx.gsi WHERE c = 'x'`,
    'One or more parameter values were invalid: Global secondary index gsi does not project [f, g]',
  ],
];

describe('PartiQL', () => {
  let t: DynamoTest;
  beforeAll(async () => {
    t = await startDynamo();
    await makeIndexed(t);
    const Item = { a: { S: 'p' }, b: { N: '1' }, c: { S: 'g' }, d: { N: '7' }, e: { S: 'e' }, f: { S: 'f' } };
    await t.db.putItem({ TableName: 'idx', Item });
  });
  afterAll(() => t[Symbol.asyncDispose]());

  const run = (Statement: string, more: object = {}) => t.db.executeStatement({ Statement, ...more });

  test.each(REFUSED)('rejects %s', async (Statement, message) => {
    expect(await t.refusal('ExecuteStatement', { Statement })).toBe(message);
  });

  it('skips comments', async () => {
    const { Items } = await run(`-- all\nSELECT n /* one */ FROM tab -- of\nWHERE a = 'c' -- end`);
    expect(Items).toEqual([{ n: { N: '1' } }]);
  });

  it('fetches attributes missing in a local index from its table and counts their capacity', async () => {
    const { Items, ConsumedCapacity } = await run(`SELECT f FROM idx.lsi WHERE a = 'p'`, {
      ReturnConsumedCapacity: 'INDEXES',
    });
    expect(Items).toEqual([{ f: { S: 'f' } }]);
    expect(ConsumedCapacity).toEqual({
      TableName: 'idx',
      CapacityUnits: 1,
      Table: { CapacityUnits: 0.5 },
      LocalSecondaryIndexes: { lsi: { CapacityUnits: 0.5 } },
    });
  });

  it('reads global indexes with eventual consistency only', async () => {
    expect((await run(`SELECT e FROM "idx"."gsi" WHERE c = 'g'`)).Items).toEqual([{ e: { S: 'e' } }]);
    const Statement = `SELECT * FROM "idx"."gsi"`;
    expect(await t.refusal('ExecuteStatement', { Statement, ConsistentRead: true })).toBe(
      'Strongly consistent read is not supported on Global Secondary Indexes',
    );
  });

  it('reads single items by key alone in transactions and batches', async () => {
    const Statement = `SELECT * FROM tab WHERE a = 'u' AND n = 5`;
    expect(await t.refusal('ExecuteTransaction', { TransactStatements: [{ Statement }] })).toBe(
      'Validation failed in TransactStatements[0]: Select statements within ExecuteTransaction must specify the primary key in the where clause.',
    );
    const { Responses } = await t.db.batchExecuteStatement({ Statements: [{ Statement }] });
    expect(Responses?.[0]?.Error?.Message).toBe(
      'Select statements within BatchExecuteStatement must specify the primary key in the where clause.',
    );
    const exists = { Statement: `EXISTS(SELECT * FROM tab WHERE a = 'u')` };
    const update = { Statement: `UPDATE tab SET z = 1 WHERE a = 'u'` };
    expect(await t.refusal('ExecuteTransaction', { TransactStatements: [update, exists] })).toBe(
      'Validation failed in TransactStatements[1]: EXISTS() must contain a single item read with additional condition',
    );
  });

  it('rejects returned items and index reads in transactions', async () => {
    const refused = (Statement: string) => t.refusal('ExecuteTransaction', { TransactStatements: [{ Statement }] });
    expect(await refused(`UPDATE tab SET z = 1 WHERE a = 'u' RETURNING ALL NEW *`)).toBe(
      'Validation failed in TransactStatements[0]: RETURNING clause is not supported in ExecuteTransaction.',
    );
    expect(await refused(`SELECT * FROM idx.gsi WHERE c = 'g'`)).toBe(
      'Validation failed in TransactStatements[0]: Reads on indices are not supported within transactions.',
    );
  });

  it('adds to sets and removes from them, in order', async () => {
    await run(`UPDATE tab SET ss = set_add(ss, <<'0', 'z', 'a'>>) SET ns = SET_ADD(ns, ?) WHERE a = 'u'`, {
      Parameters: [{ NS: ['10', '1', '-3'] }],
    });
    const item = async () => (await t.db.getItem({ TableName: 'tab', Key: { a: { S: 'u' } } })).Item;
    expect(await item()).toMatchObject({ ss: { SS: ['0', 'a', 'b', 'z'] }, ns: { NS: ['-3', '1', '2', '10'] } });
    await run(`UPDATE tab SET ss = set_delete(ss, <<'0', 'a', 'b', 'z'>>) WHERE a = 'u'`);
    expect(await item()).not.toHaveProperty('ss');
    const wrong = { Statement: `UPDATE tab SET n = set_add(n, ?) WHERE a = 'u'`, Parameters: [{ N: '1' }] };
    expect(await t.refusal('ExecuteStatement', wrong)).toBe(
      'The second argument to SET_ADD must be a value with type SET',
    );
  });

  it('runs a transaction with a token once', async () => {
    const request = {
      TransactStatements: [{ Statement: `UPDATE tab SET n = n + 1 WHERE a = 'c'` }],
      ClientRequestToken: 'once',
      ReturnConsumedCapacity: 'TOTAL' as const,
    };
    await t.db.executeTransaction(request);
    const again = await t.db.executeTransaction(request);
    expect(again).toMatchObject({ Responses: [], ConsumedCapacity: [{ TableName: 'tab', ReadCapacityUnits: 2 }] });
    expect((await run(`SELECT n FROM tab WHERE a = 'c'`)).Items).toEqual([{ n: { N: '2' } }]);
    const other = { TransactStatements: [{ Statement: `DELETE FROM tab WHERE a = 'c'` }], ClientRequestToken: 'once' };
    await expect(t.db.executeTransaction(other)).rejects.toMatchObject({
      name: 'IdempotentParameterMismatchException',
    });
    const twice = { TransactStatements: [...other.TransactStatements, ...other.TransactStatements] };
    expect(await t.refusal('ExecuteTransaction', twice)).toBe(
      'Transaction request cannot include multiple operations on one item',
    );
  });
});
