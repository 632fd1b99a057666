import { describe, expect, it } from 'vitest';
import { readBaseline } from '../src/baseline.ts';
import { documentedFigures, figuresOf } from '../src/figures.ts';
import { includesUntried, memberImprovements, memberLosses, readMembers, readUntried } from '../src/members.ts';
import type { MemberProofs } from '../src/proof.ts';

const reportOf = (members: MemberProofs) => ({
  sqs: { SendMessage: { variants: 1, passes: 1, failures: {}, leftOut: {}, members } },
});
const known = { sqs: { SendMessage: { members: 4, read: ['Read'], unread: { Unread: 'a reason' } } } };

describe('memberLosses', () => {
  it('includes members with a weaker proof, and new ones without proof', () => {
    const shown: MemberProofs = { Acting: 'effect', Read: 'echoed', Unread: 'unread', Description: 'echoed' };
    expect(memberLosses(known, reportOf(shown))).toEqual([]);
    const less: MemberProofs = { Acting: 'read', Read: 'unread', Unread: 'unread', New: 'echoed', Other: 'untried' };
    expect(memberLosses(known, reportOf(less))).toEqual([
      'sqs.SendMessage Acting is read, but nothing follows from it',
      'sqs.SendMessage Read is read by no handler',
      'sqs.SendMessage New is only told again',
      'sqs.SendMessage Other is in no request that succeeds',
    ]);
  });
});

describe('memberImprovements', () => {
  it('adopts stronger proofs and no weaker ones', () => {
    const proofs: MemberProofs = { Acting: 'unread', Read: 'effect', Unread: 'echoed' };
    expect(memberImprovements(known, reportOf(proofs))).toEqual({
      sqs: { SendMessage: { members: 3, echoed: ['Unread'] } },
    });
    const worse: MemberProofs = { Acting: 'effect', Read: 'unread', Unread: 'unread' };
    expect(memberImprovements(known, reportOf(worse))).toEqual({
      sqs: { SendMessage: { members: 3, read: ['Read'], unread: { Unread: 'a reason' } } },
    });
  });

  it('includes members of new operations except unread ones', () => {
    const proofs: MemberProofs = { Acting: 'effect', Read: 'read', Unread: 'unread' };
    expect(memberImprovements({}, reportOf(proofs))).toEqual({ sqs: { SendMessage: { members: 3, read: ['Read'] } } });
  });
});

describe('the committed baseline', () => {
  it('has a reason for each unread member', () => {
    const reasons = Object.values(readMembers()).flatMap((operations) =>
      Object.values(operations).flatMap(({ unread = {} }) => Object.values(unread)),
    );
    expect(reasons.length).toBeGreaterThan(0);
    for (const reason of reasons) expect(reason).toMatch(/^(not emulated|out of reach|without effect): \w+/);
  });

  it('has a reason for each untried member, and no other', () => {
    const untried = Object.entries(readMembers()).flatMap(([service, operations]) =>
      Object.entries(operations).flatMap(([operation, { untried: members = [] }]) =>
        members.map((member) => ({ service, name: `${operation}.${member}` })),
      ),
    );
    const reasons = Object.entries(readUntried()).flatMap(([service, groups]) =>
      groups.flatMap(({ members }) => members.map((beginning) => ({ service, beginning }))),
    );
    const known = ({ service, name }: (typeof untried)[number]) =>
      reasons.some((reason) => reason.service === service && includesUntried(reason.beginning, name));
    expect(untried.filter((member) => !known(member))).toEqual([]);
    const used = ({ service, beginning }: (typeof reasons)[number]) =>
      untried.some((member) => member.service === service && includesUntried(beginning, member.name));
    expect(reasons.filter((reason) => !used(reason))).toEqual([]);
    for (const { reason } of Object.values(readUntried()).flat())
      expect(reason).toMatch(/^(not emulated|out of reach|excluded|state|values|client): \w+/);
  });

  it('has its figures in the documentation', () => {
    expect(documentedFigures()).toBe(figuresOf(readBaseline(), readMembers()));
  });
});
