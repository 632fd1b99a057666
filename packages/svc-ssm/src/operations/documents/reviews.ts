import { numericKey } from '@emu/core/service';
import type { InputOf, OutputOf, ReviewStatus } from '@emu/service-types/ssm';
import type { SsmContext } from '../../context.ts';
import { isReviewed } from '../../documents/describe.ts';
import { invalidOperation } from '../../documents/errors.ts';
import { findDocumentInRegion, versionOf } from '../../documents/resolve.ts';
import { paging } from '../../paging.ts';
import { ownDocument } from './documents.ts';

/** Review actions, each with the resulting status and the statuses in which it is allowed. */
const ACTIONS: Readonly<Record<string, { from: readonly ReviewStatus[]; to: ReviewStatus }>> = {
  SendForReview: { from: ['NOT_REVIEWED', 'REJECTED'], to: 'PENDING' },
  UpdateReview: { from: ['PENDING'], to: 'PENDING' },
  Approve: { from: ['PENDING'], to: 'APPROVED' },
  Reject: { from: ['PENDING'], to: 'REJECTED' },
};

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_UpdateDocumentMetadata.html */
export function UpdateDocumentMetadata(
  input: InputOf<'UpdateDocumentMetadata'>,
  ctx: SsmContext,
): OutputOf<'UpdateDocumentMetadata'> {
  const document = ownDocument(input.Name, ctx);
  if (!isReviewed(document)) throw invalidOperation(`Documents of type ${document.type} have no reviews.`);
  const { Action, Comment = [] } = input.DocumentReviews;
  const found = { document, owner: ctx.accountId, shownName: document.name };
  const { version, reviewStatus = 'NOT_REVIEWED' } = versionOf(found, {
    DocumentVersion: input.DocumentVersion ?? '$LATEST',
  });
  const { from, to } = ACTIONS[Action]!;
  if (!from.includes(reviewStatus))
    throw invalidOperation(
      `The action ${Action} is not possible for a version whose review status is ${reviewStatus}.`,
    );
  const now = Math.floor(ctx.clock.now());
  const comment = Comment[0]?.Content;
  const reviewer = ctx.principal.arn.split(/[/:]/).at(-1)!;
  ctx.state.documents.update(document.name, (draft) => {
    const one = draft.versions.find((candidate) => candidate.version === version)!;
    one.reviewStatus = to;
    if (Action === 'UpdateReview' && one.reviews.length > 0) {
      const last = one.reviews.at(-1)!;
      last.updatedAt = now;
      if (comment !== undefined) last.comment = comment;
      return;
    }
    const said = comment === undefined ? {} : { comment };
    one.reviews.push({ reviewer, status: to, ...said, createdAt: now, updatedAt: now });
  });
  return {};
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ListDocumentMetadataHistory.html */
export function ListDocumentMetadataHistory(
  input: InputOf<'ListDocumentMetadataHistory'>,
  ctx: SsmContext,
): OutputOf<'ListDocumentMetadataHistory'> {
  const found = findDocumentInRegion(ctx.state, input.Name);
  const version = versionOf(found, input);
  const reviews = version.reviews.map((review, index) => ({ ...review, index }));
  const { items, next } = paging.page('ListDocumentMetadataHistory', input, reviews, ({ index }) => numericKey(index));
  return {
    Name: found.shownName,
    DocumentVersion: String(version.version),
    Author: version.author,
    Metadata: {
      ReviewerResponse: items.map(({ createdAt, updatedAt, status, comment, reviewer }) => ({
        CreateTime: new Date(createdAt),
        UpdatedTime: new Date(updatedAt),
        ReviewStatus: status,
        ...(comment !== undefined && { Comment: [{ Type: 'Comment' as const, Content: comment }] }),
        Reviewer: reviewer,
      })),
    },
    ...next,
  };
}
