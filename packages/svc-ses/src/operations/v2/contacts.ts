import type { DeepReadonly } from '@emu/core/service';
import type { Contact, InputOf, OutputOf, Topic, TopicPreference } from '@emu/service-types/sesv2';
import type { SesContext } from '../../context.ts';
import { alreadyExists, badRequest, notFound } from '../../errors.ts';
import { isAddress } from '../../identities/names.ts';
import { v2Paging } from '../../paging.ts';
import type { ContactListRecord, ContactRecord } from '../../records.ts';
import { tagging } from '../../tags.ts';

type List = DeepReadonly<ContactListRecord>;

const MAX_TOPICS = 20;

const NAME = /^[\w-]{1,64}$/;
const MAX_DISPLAY_NAME = 128;
const MAX_DESCRIPTION = 500;

/**
 * Validates the name of a contact list or a topic.
 * @throws AwsError `BadRequestException`
 * @see https://github.com/floci-io/floci/pull/1638
 */
function checkName(name: string, member: 'ContactListName' | 'TopicName'): void {
  if (name.trim() === '') throw badRequest(`${member} can't be blank.`);
  if (!NAME.test(name))
    throw badRequest(
      `${member} can contain up to 64 characters. Only alphanumeric characters, underscores(_) and hyphens(-) are allowed.`,
    );
}

function listOf(name: string, { state }: SesContext): List {
  checkName(name, 'ContactListName');
  const list = state.contactLists.get(name);
  if (!list) throw notFound(`List with name: ${name} doesn't exist.`);
  return list;
}

/**
 * Validates the members of a contact list.
 * @throws AwsError `BadRequestException`
 * @see https://github.com/floci-io/floci/pull/1638
 */
function checkList(name: string, topics: readonly Topic[], description: string | undefined): void {
  checkName(name, 'ContactListName');
  if (topics.length > MAX_TOPICS) throw badRequest(`Maximum of <${MAX_TOPICS}> topics allowed per ContactList`);
  const names = new Set<string>();
  for (const { TopicName, DisplayName } of topics) {
    checkName(TopicName, 'TopicName');
    if (DisplayName.length > MAX_DISPLAY_NAME)
      throw badRequest(`Topic DisplayName can contain up to <${MAX_DISPLAY_NAME}> characters.`);
    if (names.has(TopicName)) throw badRequest('Duplicate topic names are not allowed within a List.');
    names.add(TopicName);
  }
  if (description !== undefined && description.length > MAX_DESCRIPTION)
    throw badRequest('List description can contain up to 500 characters.');
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateContactList.html */
export function CreateContactList(
  { ContactListName: name, Topics = [], Description, Tags }: InputOf<'CreateContactList'>,
  { state, clock }: SesContext,
) {
  checkList(name, Topics, Description);
  // An existing name is an exceeded limit, too.
  if (state.contactLists.size >= 1) throw badRequest('A maximum of 1 Lists allowed per account.');
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
  checkList(ContactListName, Topics ?? [], Description);
  const { name } = listOf(ContactListName, ctx);
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
function checkPreferences(preferences: readonly TopicPreference[], { name, topics }: List): void {
  for (const { TopicName } of preferences)
    if (!topics.some((topic) => topic.TopicName === TopicName))
      throw badRequest(`List: ${name} doesn't contain Topic: ${TopicName}`);
}

/**
 * Returns the list of a contact.
 * @throws AwsError for an invalid address, then for an unknown list
 * @see https://github.com/floci-io/floci/pull/1723
 */
function listWith(list: string, address: string, ctx: SesContext): List {
  if (address.trim() === '') throw badRequest("EmailAddress can't be blank.");
  if (!isAddress(address)) throw badRequest(`EmailAddress <${address}> is invalid`);
  return listOf(list, ctx);
}

function contactOf(list: List, address: string, { state }: SesContext): DeepReadonly<ContactRecord> {
  const contact = state.contacts.get(list.name, address);
  if (!contact) throw notFound(`${address} doesn't exist in List.`);
  return contact;
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateContact.html */
export function CreateContact(input: InputOf<'CreateContact'>, ctx: SesContext) {
  const { EmailAddress, TopicPreferences = [], UnsubscribeAll = false, AttributesData } = input;
  const list = listWith(input.ContactListName, EmailAddress, ctx);
  checkPreferences(TopicPreferences, list);
  if (ctx.state.contacts.get(list.name, EmailAddress)) throw alreadyExists(`${EmailAddress} already exists in List.`);
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

/** Returns the default preferences of a list's topics. */
const defaultsOf = ({ topics }: List): TopicPreference[] =>
  topics.map(({ TopicName, DefaultSubscriptionStatus }) => ({
    TopicName,
    SubscriptionStatus: DefaultSubscriptionStatus,
  }));

const describe = (list: List, contact: DeepReadonly<ContactRecord>): Contact => ({
  EmailAddress: contact.address,
  TopicPreferences: contact.preferences.map((one) => ({ ...one })),
  // Of the topics without a preference.
  TopicDefaultPreferences: defaultsOf(list).filter(
    ({ TopicName }) => !contact.preferences.some((preference) => preference.TopicName === TopicName),
  ),
  UnsubscribeAll: contact.unsubscribed,
  LastUpdatedTimestamp: new Date(contact.updatedAt),
});

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetContact.html */
export function GetContact(
  { ContactListName, EmailAddress }: InputOf<'GetContact'>,
  ctx: SesContext,
): OutputOf<'GetContact'> {
  const list = listWith(ContactListName, EmailAddress, ctx);
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
  const { TopicPreferences, UnsubscribeAll = false, AttributesData } = input;
  const list = listWith(input.ContactListName, input.EmailAddress, ctx);
  if (TopicPreferences) checkPreferences(TopicPreferences, list);
  const { attributes: _, ...contact } = structuredClone(contactOf(list, input.EmailAddress, ctx)) as ContactRecord;
  const changed = new Set((TopicPreferences ?? []).map(({ TopicName }) => TopicName));
  ctx.state.contacts.put({
    ...contact,
    preferences: [
      ...contact.preferences.filter(({ TopicName }) => !changed.has(TopicName)),
      ...(TopicPreferences ?? []),
    ],
    // Absent members are reset, other than preferences.
    unsubscribed: UnsubscribeAll,
    ...(AttributesData !== undefined && { attributes: AttributesData }),
    updatedAt: ctx.clock.now(),
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_DeleteContact.html */
export function DeleteContact({ ContactListName, EmailAddress }: InputOf<'DeleteContact'>, ctx: SesContext) {
  const list = listWith(ContactListName, EmailAddress, ctx);
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
