import { expect, test } from 'vitest';
import { failureOf, startStacks, thing } from './support.ts';

const roleArn = (name: string) => `arn:aws:iam::000000000000:role/${name}`;

test('creates a stack in dependency order, describes it and deletes it in reverse', async () => {
  await using emu = await startStacks();
  const stack = await emu.create(
    'shop',
    {
      Description: 'a shop',
      Parameters: { Kind: { Type: 'String', Default: 'small' }, Secret: { Type: 'String', NoEcho: true } },
      Resources: {
        B: thing({ Value: { 'Fn::GetAtt': ['A', 'Arn'] }, Kind: { Ref: 'Kind' } }),
        A: thing({ Size: '7' }),
        // biome-ignore lint/suspicious/noTemplateCurlyInString: references of the template
        C: thing({ Value: { 'Fn::Sub': '${A}-${B.Size}-${AWS::StackName}' } }, { DependsOn: 'B' }),
      },
      Outputs: { Out: { Value: { Ref: 'C' }, Description: 'c', Export: { Name: 'shop-c' } } },
    },
    { Parameters: [{ ParameterKey: 'Secret', ParameterValue: 'hush' }], Tags: [{ Key: 'team', Value: 'x' }] },
  );
  expect(stack).toMatchObject({
    StackStatus: 'CREATE_COMPLETE',
    Description: 'a shop',
    Parameters: [
      { ParameterKey: 'Kind', ParameterValue: 'small' },
      { ParameterKey: 'Secret', ParameterValue: '****' },
    ],
    Outputs: [{ OutputKey: 'Out', Description: 'c', ExportName: 'shop-c' }],
    Tags: [{ Key: 'team', Value: 'x' }],
    EnableTerminationProtection: false,
  });
  expect(emu.calls).toEqual(['create A', 'create B', 'create C']);
  const { StackResources } = await emu.cfn.describeStackResources({ StackName: 'shop' });
  const ids = Object.fromEntries(StackResources!.map((one) => [one.LogicalResourceId, one.PhysicalResourceId!]));
  expect(ids.A).toMatch(/^shop-A-[A-Za-z0-9]{12}$/);
  expect(emu.things.get(ids.B!)!.properties).toEqual({
    Value: `arn:${ids.A}`,
    Kind: 'small',
    Tags: [{ Key: 'team', Value: 'x' }],
  });
  expect(emu.things.get(ids.C!)!.properties).toMatchObject({ Value: `${ids.A}-0-shop` });
  expect((await emu.events('shop')).slice(0, 5)).toEqual([
    'shop CREATE_IN_PROGRESS User Initiated',
    'A CREATE_IN_PROGRESS',
    'A CREATE_IN_PROGRESS Resource creation Initiated',
    'A CREATE_COMPLETE',
    'B CREATE_IN_PROGRESS',
  ]);
  expect((await emu.cfn.listExports({})).Exports).toEqual([
    { ExportingStackId: stack.StackId, Name: 'shop-c', Value: ids.C },
  ]);
  const detail = await emu.cfn.describeStackResource({ StackName: 'shop', LogicalResourceId: 'A' });
  expect(detail.StackResourceDetail).toMatchObject({ ResourceStatus: 'CREATE_COMPLETE', Metadata: '{}' });
  expect((await emu.cfn.listStackResources({ StackName: 'shop' })).StackResourceSummaries).toHaveLength(3);

  await emu.cfn.deleteStack({ StackName: 'shop' });
  const deleted = await emu.settled(stack.StackId!);
  expect(deleted).toMatchObject({ StackStatus: 'DELETE_COMPLETE', StackId: stack.StackId });
  expect(emu.calls.slice(3)).toEqual(['delete C', 'delete B', 'delete A']);
  expect(emu.things.size).toBe(0);
  expect(await failureOf(emu.cfn.describeStacks({ StackName: 'shop' }))).toBe(
    'ValidationError: Stack with id shop does not exist',
  );
  expect(await failureOf(emu.cfn.describeStackEvents({ StackName: 'shop' }))).toBe(
    'ValidationError: Stack [shop] does not exist',
  );
  const again = await emu.create('shop', { Resources: { A: thing() } });
  expect(again.StackId).not.toBe(stack.StackId);
  expect(
    await failureOf(
      emu.cfn.createStack({ StackName: 'shop', TemplateBody: '{"Resources":{"A":{"Type":"Test::Thing::Thing"}}}' }),
    ),
  ).toBe('AlreadyExistsException: Stack [shop] already exists');
  expect((await emu.cfn.listStacks({ StackStatusFilter: ['DELETE_COMPLETE'] })).StackSummaries).toMatchObject([
    { StackId: stack.StackId },
  ]);
});

test('an update changes, replaces, adds and removes resources; an update without changes is rejected', async () => {
  await using emu = await startStacks();
  await emu.create('s', {
    Resources: {
      Keep: thing({ Value: '1' }),
      Change: thing({ Value: '1' }),
      Replace: thing({ Kind: 'a' }),
      Follow: thing({ Value: { Ref: 'Replace' } }),
      Gone: thing(),
      Stays: thing({}, { DeletionPolicy: 'Retain' }),
    },
  });
  const before = new Map(
    (await emu.cfn.describeStackResources({ StackName: 's' })).StackResources!.map((one) => [
      one.LogicalResourceId,
      one.PhysicalResourceId,
    ]),
  );
  emu.calls.length = 0;
  const template = {
    Resources: {
      Keep: thing({ Value: '1' }),
      Change: thing({ Value: '2' }),
      Replace: thing({ Kind: 'b' }),
      Follow: thing({ Value: { Ref: 'Replace' } }),
      New: thing(),
    },
  };
  const updated = await emu.update('s', template);
  expect(updated.StackStatus).toBe('UPDATE_COMPLETE');
  const after = new Map(
    (await emu.cfn.describeStackResources({ StackName: 's' })).StackResources!.map((one) => [
      one.LogicalResourceId,
      one.PhysicalResourceId,
    ]),
  );
  expect([...after.keys()].sort()).toEqual(['Change', 'Follow', 'Keep', 'New', 'Replace']);
  expect(after.get('Change')).toBe(before.get('Change'));
  expect(after.get('Replace')).not.toBe(before.get('Replace'));
  expect(emu.calls.slice().sort()).toEqual([
    'create New',
    'create Replace',
    'delete Gone',
    'delete Replace',
    'update Change',
    'update Follow',
  ]);
  expect(emu.things.has(before.get('Stays')!)).toBe(true);
  const events = await emu.events('s');
  expect(events).toContain(
    'Replace UPDATE_IN_PROGRESS Requested update requires the creation of a new physical resource; hence creating one.',
  );
  expect(events.indexOf('s UPDATE_COMPLETE_CLEANUP_IN_PROGRESS')).toBeLessThan(
    events.lastIndexOf('Gone DELETE_COMPLETE'),
  );
  expect(events).toContain('Stays DELETE_SKIPPED');
  expect(await failureOf(emu.cfn.updateStack({ StackName: 's', TemplateBody: JSON.stringify(template) }))).toBe(
    'ValidationError: No updates are to be performed.',
  );
  const outputs = await emu.update('s', { ...template, Outputs: { O: { Value: 'x' } } });
  expect(outputs).toMatchObject({ StackStatus: 'UPDATE_COMPLETE', Outputs: [{ OutputKey: 'O', OutputValue: 'x' }] });
  const tagged = await emu.update(
    's',
    { ...template, Outputs: { O: { Value: 'x' } } },
    { Tags: [{ Key: 'k', Value: 'v' }] },
  );
  expect(tagged.Tags).toEqual([{ Key: 'k', Value: 'v' }]);
  expect(emu.things.get(after.get('Keep')!)!.properties.Tags).toEqual([{ Key: 'k', Value: 'v' }]);
});

test('rolls back a failed creation; afterwards only deletion is allowed', async () => {
  await using emu = await startStacks();
  const template = {
    Resources: { A: thing(), B: thing({ Fail: 'stabilise', Value: { Ref: 'A' } }), C: thing({}, { DependsOn: 'B' }) },
  };
  const stack = await emu.create('bad', template);
  expect(stack).toMatchObject({ StackStatus: 'ROLLBACK_COMPLETE' });
  expect(emu.things.size).toBe(0);
  const events = await emu.events('bad');
  expect(events).toContain(
    'bad ROLLBACK_IN_PROGRESS The following resource(s) failed to create: [B]. Rollback requested by user.',
  );
  expect(events.find((event) => event.startsWith('B CREATE_FAILED'))).toMatch(
    /^B CREATE_FAILED Resource handler returned message: "cannot stabilise \(Service: Thing, Status Code: 400, Request ID: [-\da-f]+\)" \(RequestToken: [-\da-f]+, HandlerErrorCode: InvalidRequest\)$/,
  );
  expect(await failureOf(emu.cfn.updateStack({ StackName: 'bad', TemplateBody: JSON.stringify(template) }))).toBe(
    `ValidationError: Stack:${stack.StackId} is in ROLLBACK_COMPLETE state and can not be updated.`,
  );
  const kept = await emu.create('kept', template, { OnFailure: 'DO_NOTHING' });
  expect(kept).toMatchObject({
    StackStatus: 'CREATE_FAILED',
    StackStatusReason: 'The following resource(s) failed to create: [B]. ',
  });
  const back = await emu.cfn.rollbackStack({ StackName: 'kept' });
  expect((await emu.settled(back.StackId!)).StackStatus).toBe('ROLLBACK_COMPLETE');
  const gone = await emu.create('gone', template, { OnFailure: 'DELETE' });
  expect(gone.StackStatus).toBe('DELETE_COMPLETE');
});

test('rolls back a failed update to the previous values', async () => {
  await using emu = await startStacks();
  await emu.create('s', { Resources: { A: thing({ Value: '1' }), B: thing({ Kind: 'a' }), Z: thing({ Value: '1' }) } });
  const before = (await emu.cfn.describeStackResources({ StackName: 's' })).StackResources!.map(
    (one) => one.PhysicalResourceId,
  );
  const stack = await emu.update('s', {
    Resources: {
      A: thing({ Value: '2' }),
      B: thing({ Kind: 'b' }),
      N: thing(),
      Z: thing({ Value: '2', Fail: 'update' }, { DependsOn: ['A', 'B', 'N'] }),
    },
  });
  expect(stack.StackStatus).toBe('UPDATE_ROLLBACK_COMPLETE');
  const after = (await emu.cfn.describeStackResources({ StackName: 's' })).StackResources!;
  expect(after.map((one) => one.PhysicalResourceId)).toEqual(before);
  expect([...emu.things.values()].map(({ properties }) => properties)).toEqual([
    { Value: '1' },
    { Kind: 'a' },
    { Value: '1' },
  ]);
  expect(await emu.events('s')).toContain(
    's UPDATE_ROLLBACK_IN_PROGRESS The following resource(s) failed to update: [Z]. ',
  );
  const template = (await emu.cfn.getTemplate({ StackName: 's' })).TemplateBody;
  expect(JSON.parse(template!).Resources.A.Properties).toEqual({ Value: '1' });
});

test('retains resources with a retain policy in the rollback of an update, unless another policy is requested', async () => {
  await using emu = await startStacks();
  await emu.create('s', { Resources: { A: thing({ Value: '1' }) } });
  const made = (DeletionPolicy: string) => ({
    Resources: {
      A: thing({ Value: '1' }),
      New: thing({}, { DeletionPolicy }),
      Z: thing({ Fail: 'create' }, { DependsOn: 'New' }),
    },
  });
  for (const [template, more, left] of [
    [made('RetainExceptOnCreate'), {}, 1],
    [made('Retain'), { RetainExceptOnCreate: true }, 1],
    [made('Retain'), {}, 2],
  ] as const) {
    expect((await emu.update('s', template, more)).StackStatus).toBe('UPDATE_ROLLBACK_COMPLETE');
    expect(emu.things.size).toBe(left);
  }
  expect(await emu.events('s')).toContain('New DELETE_SKIPPED');
  expect((await emu.cfn.listStackResources({ StackName: 's' })).StackResourceSummaries).toHaveLength(1);
});

test('a resource with RetainExceptOnCreate stays when it leaves the template, but not in the rollback of its creation', async () => {
  await using emu = await startStacks();
  const Kept = thing({}, { DeletionPolicy: 'RetainExceptOnCreate' });
  await emu.create('s', { Resources: { A: thing(), Kept } });
  expect((await emu.update('s', { Resources: { A: thing() } })).StackStatus).toBe('UPDATE_COMPLETE');
  expect(emu.things.size).toBe(2);
});

test('a rollback continues with the given role', async () => {
  await using emu = await startStacks();
  const RoleARN = roleArn('deployer');
  const template = { Resources: { A: thing(), Z: thing({ Fail: 'create' }) } };
  const { StackId } = await emu.create('s', template, { DisableRollback: true });
  expect(await failureOf(emu.cfn.rollbackStack({ StackName: 's', RoleARN: 'not-a-role-at-all-but-long' }))).toBe(
    'ValidationError: Role not-a-role-at-all-but-long is invalid or cannot be assumed',
  );
  expect((await emu.cfn.rollbackStack({ StackName: 's', RoleARN })).StackId).toBe(StackId);
  expect(await emu.settled('s')).toMatchObject({ StackStatus: 'ROLLBACK_COMPLETE', RoleARN });
});

test('a failed deletion reports its reason and can retain resources', async () => {
  await using emu = await startStacks();
  const { StackId } = await emu.create(
    's',
    { Resources: { A: thing(), B: thing() } },
    { EnableTerminationProtection: true },
  );
  expect(await failureOf(emu.cfn.deleteStack({ StackName: 's' }))).toBe(
    'ValidationError: Stack [s] cannot be deleted while TerminationProtection is enabled',
  );
  await emu.cfn.updateTerminationProtection({ StackName: 's', EnableTerminationProtection: false });
  for (const RoleARN of ['not-a-role-at-all-but-long', `${roleArn('team')}/`])
    expect(await failureOf(emu.cfn.deleteStack({ StackName: 's', RoleARN }))).toBe(
      `ValidationError: Role ${RoleARN} is invalid or cannot be assumed`,
    );
  expect(await emu.settled('s')).toMatchObject({ StackStatus: 'CREATE_COMPLETE' });
  emu.stuck.add('A');
  await emu.cfn.deleteStack({ StackName: 's' });
  expect(await emu.settled('s')).toMatchObject({
    StackStatus: 'DELETE_FAILED',
    StackStatusReason: 'The following resource(s) failed to delete: [A]. ',
  });
  await emu.cfn.deleteStack({ StackName: 's', RetainResources: ['A'] });
  expect((await emu.settled(StackId!)).StackStatus).toBe('DELETE_COMPLETE');
  expect(emu.things.size).toBe(1);
});

test('imports exports, and protects them while they are imported', async () => {
  await using emu = await startStacks();
  const exporter = { Resources: { A: thing() }, Outputs: { O: { Value: { Ref: 'A' }, Export: { Name: 'x' } } } };
  const importer = { Resources: { B: thing({ Value: { 'Fn::ImportValue': 'x' } }) } };
  expect(await emu.create('early', importer)).toMatchObject({ StackStatus: 'ROLLBACK_COMPLETE' });
  await emu.create('exporter', exporter);
  await emu.create('importer', importer);
  expect((await emu.cfn.listImports({ ExportName: 'x' })).Imports).toEqual(['importer']);
  expect(await failureOf(emu.cfn.deleteStack({ StackName: 'exporter' }))).toBe(
    'ValidationError: Export x cannot be deleted as it is in use by importer',
  );
  const changed = await emu.update('exporter', { Resources: { A: thing() } });
  expect(changed.StackStatus).toBe('UPDATE_ROLLBACK_COMPLETE');
  expect((await emu.events('exporter')).join('\n')).toContain('Export x cannot be deleted as it is in use by importer');
  const second = await emu.create('second', exporter);
  expect(second.StackStatus).toBe('ROLLBACK_COMPLETE');
  expect((await emu.events('second')).join('\n')).toContain('Export with name x is already exported by stack exporter');
});

test('a client token makes requests idempotent; stacks are found by id', async () => {
  await using emu = await startStacks();
  const input = {
    StackName: 's',
    TemplateBody: JSON.stringify({ Resources: { A: thing() } }),
    ClientRequestToken: 't',
  };
  const { StackId } = await emu.cfn.createStack(input);
  expect((await emu.cfn.createStack(input)).StackId).toBe(StackId);
  await emu.settled(StackId!);
  expect(await failureOf(emu.cfn.updateStack({ ...input, StackName: StackId! }))).toBe(
    'TokenAlreadyExistsException: Token already exists: t',
  );
  const { StackEvents } = await emu.cfn.describeStackEvents({ StackName: StackId });
  expect(StackEvents!.every(({ ClientRequestToken }) => ClientRequestToken === 't')).toBe(true);
});

test('a stack policy protects resources from updates', async () => {
  await using emu = await startStacks();
  const policy = {
    Statement: [
      { Effect: 'Allow', Action: 'Update:*', Principal: '*', Resource: '*' },
      { Effect: 'Deny', Action: 'Update:Replace', Principal: '*', Resource: 'LogicalResourceId/A' },
    ],
  };
  await emu.create(
    's',
    { Resources: { A: thing({ Kind: 'a', Value: '1' }) } },
    { StackPolicyBody: JSON.stringify(policy) },
  );
  expect(JSON.parse((await emu.cfn.getStackPolicy({ StackName: 's' })).StackPolicyBody!)).toEqual(policy);
  expect(await emu.update('s', { Resources: { A: thing({ Kind: 'a', Value: '2' }) } })).toMatchObject({
    StackStatus: 'UPDATE_COMPLETE',
  });
  expect(await emu.update('s', { Resources: { A: thing({ Kind: 'b', Value: '2' }) } })).toMatchObject({
    StackStatus: 'UPDATE_ROLLBACK_COMPLETE',
  });
  expect((await emu.events('s')).join('\n')).toContain(
    'Action denied by stack policy: Statement [#2] does not allow [Update:Replace] for resource [LogicalResourceId/A];',
  );
  const keeping = { Statement: [{ Effect: 'Deny', Action: 'Update:Delete', Principal: '*', Resource: '*' }] };
  await emu.cfn.setStackPolicy({ StackName: 's', StackPolicyBody: JSON.stringify(keeping) });
  const without = { Resources: { B: thing() } };
  expect(await emu.update('s', without)).toMatchObject({ StackStatus: 'UPDATE_ROLLBACK_COMPLETE' });
  expect(await emu.events('s')).toContain(
    'A UPDATE_FAILED Action denied by stack policy: Statement [#1] does not allow [Update:Delete] for resource [*];',
  );
  expect([...emu.things.values()].map(({ properties }) => properties.Value)).toEqual(['2']);
  // A policy in the update request replaces the stack's policy during the update.
  const allowing = { Statement: [{ Effect: 'Allow', Action: 'Update:*', Principal: '*', Resource: '*' }] };
  const StackPolicyDuringUpdateBody = JSON.stringify(allowing);
  expect(await emu.update('s', without, { StackPolicyDuringUpdateBody })).toMatchObject({
    StackStatus: 'UPDATE_COMPLETE',
  });
  expect(JSON.parse((await emu.cfn.getStackPolicy({ StackName: 's' })).StackPolicyBody!)).toEqual(keeping);
  expect(
    await failureOf(emu.cfn.setStackPolicy({ StackName: 's', StackPolicyBody: '{"Statement":[{"Effect":"Allow"}]}' })),
  ).toBe('ValidationError: Error validating stack policy: Invalid stack policy');
  const partly = { Statement: [{ Effect: 'Allow', Action: 'Update:Delete', Principal: '*', Resource: '*' }] };
  await emu.update('s', { Resources: { B: thing({ Value: '3' }) } }, { StackPolicyBody: JSON.stringify(partly) });
  expect(await emu.events('s')).toContain('B UPDATE_FAILED Action not allowed by stack policy');
});

/** @see https://github.com/sparkleformation/sfn/issues/238 */
test('a stack policy names resources of the stack only', async () => {
  await using emu = await startStacks();
  const naming = (Resource: string | string[]) =>
    JSON.stringify({ Statement: [{ Effect: 'Deny', Action: 'Update:*', Principal: '*', Resource }] });
  const problem = (name: string) =>
    `ValidationError: Error validating stack policy: Unknown logical id '${name}' in statement {} - stack policies can only be applied to logical ids referenced in the template`;
  const Conditions = { Never: { 'Fn::Equals': ['a', 'b'] } };
  const template = { Conditions, Resources: { A: thing(), B: thing({}, { Condition: 'Never' }) } };
  expect(await failureOf(emu.create('s', template, { StackPolicyBody: naming('LogicalResourceId/X') }))).toBe(
    problem('LogicalResourceId/X'),
  );
  await emu.create('s', template, { StackPolicyBody: naming(['LogicalResourceId/A', 'LogicalResourceId/X*']) });
  for (const name of ['LogicalResourceId/X', 'LogicalResourceId/B'])
    expect(await failureOf(emu.cfn.setStackPolicy({ StackName: 's', StackPolicyBody: naming(name) }))).toBe(
      problem(name),
    );
  await emu.cfn.setStackPolicy({ StackName: 's', StackPolicyBody: naming('LogicalResourceId/A') });
  expect(
    await failureOf(emu.update('s', template, { StackPolicyDuringUpdateBody: naming('LogicalResourceId/Y') })),
  ).toBe(problem('LogicalResourceId/Y'));
});

test('creates a hundred resources in under two seconds, and rejects an update without changes in under a tenth', async () => {
  await using emu = await startStacks();
  const template = {
    Resources: Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`R${index}`, thing({ Size: index })])),
  };
  const start = performance.now();
  expect((await emu.create('many', template)).StackStatus).toBe('CREATE_COMPLETE');
  expect(performance.now() - start).toBeLessThan(2000);
  const again = performance.now();
  await failureOf(emu.cfn.updateStack({ StackName: 'many', TemplateBody: JSON.stringify(template) }));
  expect(performance.now() - again).toBeLessThan(1000);
});
