import type { DeepReadonly } from '@emu/core/service';
import type { Contact, InputOf, OutputOf, Topic, TopicPreference } from '@emu/service-types/sesv2';
import type { SesContext } from '../../context.ts';
import { alreadyExists, badRequest, limitExceeded, notFound } from '../../errors.ts';
import { isAddress } from '../../identities/names.ts';
import { v2Paging } from '../../paging.ts';
import type { ContactListRecord, ContactRecord } from '../../records.ts';
import { tagging } from '../../tags.ts';

type List = DeepReadonly<ContactListRecord>;

const MAX_TOPICS = 20;

function listOf(name: string, { state }: SesContext): List {
  const list = state.contactLists.get(name);
  if (!list) throw notFound(`List with name: ${name} doesn't exist.`);
  return list;
}

function checkTopics(topics: readonly Topic[]): void {
  if (topics.length > MAX_TOPICS) throw badRequest(`A contact list cannot have more than ${MAX_TOPICS} topics.`);
  const names = new Set(topics.map(({ TopicName }) => TopicName));
  if (names.size < topics.length) throw badRequest('Topic names must be unique.');
  for (const name of names) if (!/^[\w-]{1,64}$/.test(name)) throw badRequest(`Invalid topic name <${name}>.`);
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateContactList.html */
export function CreateContactList(
  { ContactListName: name, Topics = [], Description, Tags }: InputOf<'CreateContactList'>,
  { state, clock }: SesContext,
) {
  if (!/^[\w-]{1,64}$/.test(name)) throw badRequest(`Invalid contact list name <${name}>.`);
  if (state.contactLists.get(name)) throw alreadyExists(`List with name: ${name} already exists.`);
  if (state.contactLists.size >= 1) throw limitExceeded('An account has at most one contact list in a region.');
  checkTopics(Topics);
  const now = clock.now();
  state.contactLists.put(name, {
    name,
    topics: Topics,
    ...(Description !== undefined && { description: Description }),
    tags: tagging.merge(undefined, Tags),
    createdAt: now,
    updatedAt: now,
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetContactList.html */
export function GetContactList(
  { ContactListName }: InputOf<'GetContactList'>,
  ctx: SesContext,
): OutputOf<'GetContactList'> {
  const list = structuredClone(listOf(ContactListName, ctx)) as ContactListRecord;
  return {
    ContactListName: list.name,
    Topics: list.topics,
    ...(list.description !== undefined && { Description: list.description }),
    CreatedTimestamp: new Date(list.createdAt),
    LastUpdatedTimestamp: new Date(list.updatedAt),
    Tags: list.tags,
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListContactLists.html */
export function ListContactLists(
  input: InputOf<'ListContactLists'>,
  { state }: SesContext,
): OutputOf<'ListContactLists'> {
  return v2Paging
    .page('ListContactLists', input, state.contactLists.list(), ({ name }) => name)
    .list(({ name, updatedAt }) => ({ ContactListName: name, LastUpdatedTimestamp: new Date(updatedAt) }));
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_UpdateContactList.html */
export function UpdateContactList(
  { ContactListName, Topics, Description }: InputOf<'UpdateContactList'>,
  ctx: SesContext,
) {
  const { name } = listOf(ContactListName, ctx);
  if (Topics) checkTopics(Topics);
  ctx.state.contactLists.update(name, (draft) => {
    if (Topics) draft.topics = Topics;
    if (Description !== undefined) draft.description = Description;
    draft.updatedAt = ctx.clock.now();
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_DeleteContactList.html */
export function DeleteContactList({ ContactListName }: InputOf<'DeleteContactList'>, ctx: SesContext) {
  const { name } = listOf(ContactListName, ctx);
  ctx.state.contacts.deleteList(name);
  ctx.state.contactLists.delete(name);
  return {};
}

/**
 * Validates the topic preferences of a contact.
 * @throws AwsError `BadRequestException` for topics missing in the list
 */
function checkPreferences(preferences: readonly TopicPreference[], { topics }: List): void {
  for (const { TopicName } of preferences)
    if (!topics.some((topic) => topic.TopicName === TopicName))
      throw badRequest(`Topic ${TopicName} doesn't exist in the contact list.`);
}

function contactOf(list: List, address: string, { state }: SesContext): DeepReadonly<ContactRecord> {
  const contact = state.contacts.get(list.name, address);
  if (!contact) throw notFound(`${address} doesn't exist in List ${list.name}.`);
  return contact;
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateContact.html */
export function CreateContact(input: InputOf<'CreateContact'>, ctx: SesContext) {
  const { EmailAddress, TopicPreferences = [], UnsubscribeAll = false, AttributesData } = input;
  const list = listOf(input.ContactListName, ctx);
  if (!isAddress(EmailAddress)) throw badRequest(`Invalid email address<${EmailAddress}>.`);
  if (ctx.state.contacts.get(list.name, EmailAddress)) throw alreadyExists(`Email already exists in list ${list.name}`);
  checkPreferences(TopicPreferences, list);
  const now = ctx.clock.now();
  ctx.state.contacts.put({
    list: list.name,
    address: EmailAddress,
    preferences: TopicPreferences,
    unsubscribed: UnsubscribeAll,
    ...(AttributesData !== undefined && { attributes: AttributesData }),
    createdAt: now,
    updatedAt: now,
  });
  return {};
}

/** Returns the default preferences of a list. */
const defaultsOf = ({ topics }: List): TopicPreference[] =>
  topics.map(({ TopicName, DefaultSubscriptionStatus }) => ({
    TopicName,
    SubscriptionStatus: DefaultSubscriptionStatus,
  }));

const describe = (list: List, contact: DeepReadonly<ContactRecord>): Contact => ({
  EmailAddress: contact.address,
  TopicPreferences: contact.preferences.map((one) => ({ ...one })),
  TopicDefaultPreferences: defaultsOf(list),
  UnsubscribeAll: contact.unsubscribed,
  LastUpdatedTimestamp: new Date(contact.updatedAt),
});

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetContact.html */
export function GetContact(
  { ContactListName, EmailAddress }: InputOf<'GetContact'>,
  ctx: SesContext,
): OutputOf<'GetContact'> {
  const list = listOf(ContactListName, ctx);
  const contact = contactOf(list, EmailAddress, ctx);
  return {
    ContactListName: list.name,
    ...describe(list, contact),
    ...(contact.attributes !== undefined && { AttributesData: contact.attributes }),
    CreatedTimestamp: new Date(contact.createdAt),
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_UpdateContact.html */
export function UpdateContact(input: InputOf<'UpdateContact'>, ctx: SesContext) {
  const list = listOf(input.ContactListName, ctx);
  const contact = structuredClone(contactOf(list, input.EmailAddress, ctx)) as ContactRecord;
  const { TopicPreferences, UnsubscribeAll, AttributesData } = input;
  if (TopicPreferences) checkPreferences(TopicPreferences, list);
  const changed = new Set((TopicPreferences ?? []).map(({ TopicName }) => TopicName));
  ctx.state.contacts.put({
    ...contact,
    preferences: [
      ...contact.preferences.filter(({ TopicName }) => !changed.has(TopicName)),
      ...(TopicPreferences ?? []),
    ],
    unsubscribed: UnsubscribeAll ?? contact.unsubscribed,
    ...(AttributesData !== undefined && { attributes: AttributesData }),
    updatedAt: ctx.clock.now(),
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_DeleteContact.html */
export function DeleteContact({ ContactListName, EmailAddress }: InputOf<'DeleteContact'>, ctx: SesContext) {
  const list = listOf(ContactListName, ctx);
  contactOf(list, EmailAddress, ctx);
  ctx.state.contacts.delete(list.name, EmailAddress);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListContacts.html */
export function ListContacts(input: InputOf<'ListContacts'>, ctx: SesContext): OutputOf<'ListContacts'> {
  const list = listOf(input.ContactListName, ctx);
  const { FilteredStatus, TopicFilter } = input.Filter ?? {};
  const defaults = new Map(defaultsOf(list).map((one) => [one.TopicName, one.SubscriptionStatus]));
  const matches = ({ preferences, unsubscribed }: DeepReadonly<ContactRecord>): boolean => {
    if (FilteredStatus === undefined) return true;
    const topic = TopicFilter?.TopicName;
    if (topic === undefined) return unsubscribed === (FilteredStatus === 'OPT_OUT');
    const said = preferences.find(({ TopicName }) => TopicName === topic)?.SubscriptionStatus;
    const status = said ?? (TopicFilter?.UseDefaultIfPreferenceUnavailable ? defaults.get(topic) : undefined);
    return (unsubscribed ? 'OPT_OUT' : status) === FilteredStatus;
  };
  const found = ctx.state.contacts.of(list.name).filter(matches);
  return v2Paging
    .page('ListContacts', input, found, ({ address }) => address.toLowerCase())
    .list((contact) => describe(list, contact));
}
