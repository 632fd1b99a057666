import { SFNClient } from '@aws-sdk/client-sfn';
import { createEmulator, type EmbeddedEmulator } from '@emu/emulator';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWorkflow, outcome, placeOrder, type Workflow, work } from '../src/approvals.ts';

let emu: EmbeddedEmulator;
let workflow: Workflow;

beforeEach(async () => {
  emu = await createEmulator({ services: ['stepfunctions'] });
  await emu.clock.freeze();
  workflow = await createWorkflow(new SFNClient(emu.clientConfig()), 'arn:aws:iam::000000000000:role/orders');
});
afterEach(() => emu.close());

test('ships an approved and paid order after two weeks', async () => {
  const { activities } = workflow;
  const order = await placeOrder(workflow, { id: 'order-1', inStock: true });
  expect(await work(workflow, activities.approve)).toMatchObject({ id: 'order-1' });

  // The payment function is busy at first; the workflow tries again a minute later.
  await work(workflow, activities.pay, 'Busy');
  await emu.clock.advance('1m');
  expect(await work(workflow, activities.pay)).toMatchObject({ approval: { done: true } });

  expect(await outcome(workflow, order)).toBe('RUNNING');
  await emu.clock.advance('14d');
  expect(await outcome(workflow, order)).toBe('SUCCEEDED');
});

test('refunds an order that cannot be shipped', async () => {
  const { activities } = workflow;
  const order = await placeOrder(workflow, { id: 'order-1', inStock: false });
  await work(workflow, activities.approve);
  await work(workflow, activities.pay);
  await emu.clock.advance('14d');
  expect(await work(workflow, activities.refund)).toMatchObject({ payment: { done: true } });
  await expect.poll(() => outcome(workflow, order)).toBe('FAILED: OutOfStock');
});

test('expires an order that nobody approves', async () => {
  const order = await placeOrder(workflow, { id: 'order-1', inStock: true });
  await emu.clock.advance('1d');
  expect(await outcome(workflow, order)).toBe('FAILED: NotApproved');
});
