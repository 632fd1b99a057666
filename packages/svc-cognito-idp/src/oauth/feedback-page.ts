import type { DataPlaneResponse } from '@emu/core/service';
import type { FeedbackValueType } from '@emu/service-types/cognito-idp';
import { AwsError } from '@emu/wire';
import { errorPage, messagePage } from './pages.ts';
import type { SiteRequest } from './site.ts';

/** Handles a feedback link in a risk notification. */
export async function feedbackByLink(request: SiteRequest): Promise<DataPlaneResponse> {
  const { query, http, handle, state, pool } = request;
  // GET has no effect, so that link scanners of mail servers give no feedback.
  if (http.method !== 'GET') return errorPage(request, 'Invalid request', 'Open the link of the e-mail.', 405);
  const input = {
    UserPoolId: pool.id,
    Username: query.get('user_name') ?? '',
    EventId: query.get('event_id') ?? '',
    FeedbackToken: query.get('feedback_token') ?? '',
    FeedbackValue: (query.get('feedback_value') ?? '') as FeedbackValueType,
  };
  try {
    await handle.call('cognito-idp', 'UpdateAuthEventFeedback', input, state);
  } catch (error) {
    if (!(error instanceof AwsError) || (error.status ?? 400) >= 500) throw error;
    return errorPage(request, 'Invalid link', error.message);
  }
  return messagePage(request, 'Thank you', 'Your answer has been noted.');
}
