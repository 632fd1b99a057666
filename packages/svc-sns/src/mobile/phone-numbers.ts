const E164 = /^\+?[1-9]\d{1,14}$/;

/** Whether a number is a valid publish target: E.164 with a plus sign. */
export const isPublishable = (number: string): boolean => /^\+[1-9]\d{6,14}$/.test(number);

/** Whether a text is an international phone number, with or without a plus sign. */
export const isPhoneNumber = (number: string): boolean => E164.test(number);

/**
 * Converts the endpoint of an SMS subscription to E.164. SNS accepts single dots, hyphens and slashes between digits.
 * @returns undefined for an invalid phone number
 */
export function normalizeSmsEndpoint(endpoint: string): string | undefined {
  if (/[./-]{2}/.test(endpoint) || /^[./-]|[./-]$/.test(endpoint)) return undefined;
  const number = endpoint.replace(/[./-]/g, '');
  return E164.test(number) ? number : undefined;
}
