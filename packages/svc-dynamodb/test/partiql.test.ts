import {
  BatchExecuteStatementCommand,
  CreateTableCommand,
  DuplicateItemException,
  DynamoDBClient,
  ExecuteStatementCommand,
  ExecuteTransactionCommand,
  GetItemCommand,
} from '@aws-sdk/client-dynamodb';
import { createTestEmulator } from '@emu/gateway/testing';
import { describe, expect, it } from 'vitest';
import { manifest } from '../src/manifest.ts';

const open = async () => {
  const emu = await createTestEmulator({ manifests: [manifest] });
  const db = new DynamoDBClient(emu.clientConfig());
  await db.send(
    new CreateTableCommand({
      TableName: 'people',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'team', AttributeType: 'S' },
        { AttributeName: 'n', AttributeType: 'N' },
      ],
      KeySchema: [
        { AttributeName: 'team', KeyType: 'HASH' },
        { AttributeName: 'n', KeyType: 'RANGE' },
      ],
    }),
  );
  const run = (Statement: string, Parameters?: import('@aws-sdk/client-dynamodb').AttributeValue[]) =>
    db.send(new ExecuteStatementCommand({ Statement, Parameters }));
  for (let n = 0; n < 6; n++)
    await run(`INSERT INTO people VALUE {'team': ?, 'n': ?, 'name': ?}`, [
      { S: n % 2 ? 'odd' : 'even' },
      { N: String(n) },
      { S: `person ${n}` },
    ]);
  return { db, run };
};

const error = (name: string, message: string) => expect.objectContaining({ name, message });

describe('PartiQL', () => {
  it('selects one partition in order of its sort key', async () => {
    const { run } = await open();
    const { Items } = await run(`SELECT n FROM "people" WHERE team = 'odd' AND n >= 2 ORDER BY n DESC`);
    expect(Items).toEqual([{ n: { N: '5' } }, { n: { N: '3' } }]);
  });

  it('selects several partitions by IN, and paginates by token', async () => {
    const { db } = await open();
    const seen: (string | undefined)[] = [];
    let NextToken: string | undefined;
    do {
      const page = await db.send(
        new ExecuteStatementCommand({
          Statement: `SELECT * FROM people WHERE team IN ['odd', 'even']`,
          Limit: 2,
          NextToken,
        }),
      );
      seen.push(...(page.Items ?? []).map((item) => item.n?.N));
      NextToken = page.NextToken;
    } while (NextToken);
    expect(seen).toEqual(['1', '3', '5', '0', '2', '4']);
    const Statement = 'SELECT * FROM people';
    const { NextToken: other } = await db.send(new ExecuteStatementCommand({ Statement, Limit: 1 }));
    const mixed = new ExecuteStatementCommand({ Statement: `${Statement} WHERE team = 'odd'`, NextToken: other });
    await expect(db.send(mixed)).rejects.toThrow('Invalid NextToken');
  });

  it('scans with a filter on non-key attributes', async () => {
    const { run } = await open();
    const { Items } = await run(`SELECT "name" FROM people WHERE contains("name", '4') OR nick IS NOT MISSING`);
    expect(Items).toEqual([{ name: { S: 'person 4' } }]);
  });

  it('rejects a second item with the same key', async () => {
    const { run } = await open();
    await expect(run(`INSERT INTO people VALUE {'team': 'odd', 'n': 1}`)).rejects.toBeInstanceOf(
      DuplicateItemException,
    );
  });

  it('updates and deletes one item', async () => {
    const { run } = await open();
    const updated = await run(
      `UPDATE people SET visits = 1, tags = <<'a', 'b'>> REMOVE "name" WHERE team = 'odd' AND n = 1 RETURNING ALL NEW *`,
    );
    expect(updated.Items).toEqual([
      { team: { S: 'odd' }, n: { N: '1' }, visits: { N: '1' }, tags: { SS: ['a', 'b'] } },
    ]);
    await run(
      `UPDATE people SET visits = visits + 1 SET tags = set_delete(tags, <<'a'>>) WHERE team = 'odd' AND n = 1`,
    );
    const { Items } = await run(`DELETE FROM people WHERE team = 'odd' AND n = 1 AND visits = 2 RETURNING ALL OLD *`);
    expect(Items?.[0]).toMatchObject({ visits: { N: '2' }, tags: { SS: ['b'] } });
    expect((await run(`SELECT * FROM people WHERE team = 'odd' AND n = 1`)).Items).toEqual([]);
  });

  it('reports errors of a statement', async () => {
    const { run } = await open();
    await expect(run(`UPDATE people SET a = 1 WHERE team = 'odd'`)).rejects.toEqual(
      error('ValidationException', 'Where clause does not contain a mandatory equality on all key attributes'),
    );
    await expect(run(`SELECT FROM people`)).rejects.toEqual(
      error('ValidationException', "Statement wasn't well formed, can't be processed: Unexpected token at 1:8"),
    );
    await expect(run(`SELECT * FROM nothing`)).rejects.toEqual(
      error('ResourceNotFoundException', 'Requested resource not found'),
    );
    await expect(run(`UPDATE people SET a = 1 WHERE team = 'odd' AND n = 2`)).rejects.toEqual(
      error('ConditionalCheckFailedException', 'The conditional request failed'),
    );
    await expect(run(`SELECT * FROM people WHERE team = ?`)).rejects.toEqual(
      error('ValidationException', "Number of parameters in request and statement don't match."),
    );
  });

  it('runs statements of a batch separately, and of a transaction together', async () => {
    const { db } = await open();
    const batch = await db.send(
      new BatchExecuteStatementCommand({
        Statements: [
          { Statement: `INSERT INTO people VALUE {'team': 'odd', 'n': 7}` },
          { Statement: `INSERT INTO people VALUE {'team': 'odd', 'n': 1}` },
        ],
      }),
    );
    expect(batch.Responses).toEqual([
      { TableName: 'people' },
      { TableName: 'people', Error: { Code: 'DuplicateItem', Message: 'Duplicate primary key exists in table' } },
    ]);
    await expect(
      db.send(
        new ExecuteTransactionCommand({
          TransactStatements: [
            { Statement: `INSERT INTO people VALUE {'team': 'odd', 'n': 9}` },
            { Statement: `UPDATE people SET a = 1 WHERE team = 'odd' AND n = 1 AND "name" = 'nobody'` },
          ],
        }),
      ),
    ).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [
        { Code: 'None' },
        { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
      ],
    });
    const key = { team: { S: 'odd' }, n: { N: '9' } };
    expect((await db.send(new GetItemCommand({ TableName: 'people', Key: key }))).Item).toBeUndefined();
  });
});
