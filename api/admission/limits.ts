/**
 * Strangers cannot lock other people out. This layer counts actions over all nodes. An address may be an office or a
 * mobile network, so a limit by address (IPv6 by its /64) is far above what people do: in ten minutes 60 forms, 5
 * contracts and 6,000 messages in chats. A form beyond that is not refused: it waits in quarantine, without email,
 * until staff release it. A message beyond it stays in its page, which sends it if there is room within two minutes,
 * and otherwise shows when to try again. Nodes count forms and messages in leases, so that few of them wait for Redis.
 *
 * One address takes at most half of a node's handshakes, and part of them is reserved for staff
 * (api/chat/socket/handshake-limit.ts). Frames are counted by socket and address. Open sockets and file transfers are
 * counted per node, because they take its memory: 500 sockets per address, so 2,000 on 4 nodes. While Redis is away
 * each node counts alone.
 *
 * A customer may have the 65,536 networks of an IPv6 /48, so each limit by address has a second tier by /48.
 */

import { DAY_S, HOUR_S, MINUTE_S } from '../../events/base/time.ts'

/**
 * At most `points` in any window of `windowS` seconds. The window begins with the first point that is used. With a
 * `lease`, a node draws this many points at a time from the count over all nodes and gives them out from its memory;
 * the first ones are on credit.
 */
export type Rate = { readonly points: number; readonly windowS: number; readonly lease?: number }

/**
 * The dimensions by which a limit counts: an address (IPv6 by its /64); a visitor's chat session or a signed-in device;
 * an account or a program's token.
 */
export const DIMENSIONS = ['address', 'session', 'account'] as const

export type Dimension = (typeof DIMENSIONS)[number]

/** A limit on the rate of an action. `sentence` is for the person who has to wait. */
export type Limit = { readonly sentence: string } & { readonly [D in Dimension]?: readonly Rate[] }

/** An IPv6 /48 may do as much as this many of its /64s together. */
export const NETWORKS_OF_SITE = 8

const QUARTER_S = 15 * MINUTE_S

const BUSY = 'There were many requests from your connection in a short time.'

/**
 * Every limit on the rate of an action, over all nodes. An address may be an office or a mobile network with hundreds
 * of people behind it, so a limit by address is many times what one person does; tight limits count by session or
 * account.
 */
export const LIMITS = {
  /**
   * Forms that count as a person's. Those beyond the limit are stored and flagged, and none is refused: a few more on
   * each node do no harm.
   */
  trusted_forms: {
    sentence: BUSY,
    address: [
      { points: 60, windowS: 10 * MINUTE_S, lease: 5 },
      { points: 300, windowS: DAY_S, lease: 20 },
    ],
  },
  /** The same for contracts. Each sends email, one per second: more would delay other people's email. */
  trusted_contracts: {
    sentence: BUSY,
    address: [
      { points: 5, windowS: 10 * MINUTE_S },
      { points: 30, windowS: DAY_S },
    ],
  },
  /**
   * All forms, including flagged and unreadable ones: bounds how much one address can make the log grow. Forms beyond
   * the limit are refused. A script needs four hours to use up a day, so that people who share its address wait for an
   * hour at most after a short flood.
   */
  forms: {
    sentence: BUSY,
    address: [
      { points: 5_000, windowS: HOUR_S, lease: 50 },
      { points: 20_000, windowS: DAY_S, lease: 200 },
    ],
  },
  /**
   * Attempts to sign in, right or wrong, counted before anything is read: by device (`session`) on a device with an
   * earlier sign-in, on others by address.
   */
  sign_in_tries: {
    sentence: 'Many people are signing in from your connection.',
    address: [{ points: 120, windowS: MINUTE_S }],
    session: [{ points: 60, windowS: MINUTE_S }],
  },
  /** Wrong passwords from one address, whatever the account. */
  failed_sign_ins: {
    sentence: 'There were many failed sign-ins from your connection.',
    address: [{ points: 50, windowS: QUARTER_S }],
  },
  /** Wrong passwords of one account from one address (`session`), and from all addresses together (`account`). */
  failed_sign_ins_of_account: {
    sentence: 'There were many failed sign-ins for this account.',
    session: [{ points: 10, windowS: QUARTER_S }],
    account: [{ points: 30, windowS: QUARTER_S }],
  },
  /** Wrong passwords on a device that the account has signed in on before: strangers cannot use these up. */
  failed_sign_ins_of_device: {
    sentence: 'There were many failed sign-ins on this device.',
    session: [{ points: 10, windowS: QUARTER_S }],
  },
  /**
   * Wrong codes of a second factor after a right password: on a device that the account has used (`session`), and of
   * all strangers together (`account`): of a million codes, three count at a time.
   */
  failed_codes: {
    sentence: 'There were many wrong codes for this account.',
    session: [{ points: 10, windowS: QUARTER_S }],
    account: [
      { points: 10, windowS: QUARTER_S },
      { points: 50, windowS: DAY_S },
    ],
  },
  /** Calls with unknown tokens; each queries the table of tokens. */
  unknown_tokens: {
    sentence: 'Many calls with unknown tokens came from your connection.',
    address: [{ points: 600, windowS: MINUTE_S }],
  },
  /** Calls of one program, by its token. */
  token_calls: {
    sentence: 'This token has made many calls in a short time.',
    account: [{ points: 600, windowS: MINUTE_S }],
  },
  /** Wrong current passwords of staff who change their own. */
  failed_password_changes: {
    sentence: 'The current password was wrong many times.',
    account: [{ points: 10, windowS: QUARTER_S }],
  },
  /** Changes of one's own name and photo, which each add an event. */
  profile_changes: {
    sentence: 'You have changed your profile many times in a short time.',
    account: [{ points: 60, windowS: HOUR_S }],
  },
  /** Downloads of signed contracts by their private links, and looks at the public pages that check contracts. */
  contract_copies: {
    sentence: BUSY,
    address: [{ points: 600, windowS: 10 * MINUTE_S }],
  },
  /** Emails with a link to choose a new password. Those over the limit of an account are dropped without a message. */
  password_links: {
    sentence: 'New passwords were asked for many times from your connection.',
    address: [{ points: 30, windowS: HOUR_S }],
    account: [{ points: 3, windowS: HOUR_S }],
  },
  /**
   * Emails that staff write to leads, and the messages and calls that they note: each email is sent in the agency's
   * name.
   */
  lead_answers: {
    sentence: 'You have answered many leads in a short time.',
    account: [
      { points: 60, windowS: 10 * MINUTE_S },
      { points: 500, windowS: DAY_S },
    ],
  },
  /** Leads that staff enter by hand. */
  lead_entries: {
    sentence: 'You have entered many leads in a short time.',
    account: [{ points: 300, windowS: HOUR_S }],
  },
  /** Files of leads that are sent for an import. */
  lead_imports: {
    sentence: 'You have sent many files in a short time.',
    account: [{ points: 30, windowS: HOUR_S }],
  },
  /** Previews of the rows of an import file: one for each change of its columns. */
  lead_import_checks: {
    sentence: 'You have checked files many times in a short time.',
    account: [{ points: 300, windowS: HOUR_S }],
  },
  email_activations: {
    sentence: 'The test email was asked for several times.',
    address: [{ points: 3, windowS: HOUR_S }],
  },
  /** Tests of the mail server. */
  email_tests: {
    sentence: 'You have sent many test emails in a short time.',
    account: [{ points: 20, windowS: HOUR_S }],
  },
  /** Sockets that are opened. A page that reconnects after an outage opens some more within minutes. */
  sockets: { sentence: BUSY, address: [{ points: 600, windowS: MINUTE_S }] },
  /** Joins of a chat, new or back to one. */
  joins: {
    sentence: BUSY,
    address: [{ points: 600, windowS: MINUTE_S }],
    session: [{ points: 60, windowS: MINUTE_S }],
  },
  /**
   * Further pages of chats' histories, of up to 500 messages each; the page that comes with a join counts towards
   * `joins`. A chat of 500,000 messages loads in a minute; one address takes at most a fifth of a node's core.
   */
  history_pages: {
    sentence: BUSY,
    address: [{ points: 1_200, windowS: MINUTE_S }],
    session: [{ points: 1_000, windowS: MINUTE_S }],
  },
  /** Chats that are begun. The windows are short and long for the same reason as those of forms. */
  new_chats: {
    sentence: BUSY,
    address: [
      { points: 60, windowS: 10 * MINUTE_S },
      { points: 150, windowS: HOUR_S },
      { points: 600, windowS: DAY_S },
    ],
  },
  /**
   * Messages in chats: a visitor's by chat and by address, staff's by account alone. An office of 60 people who all
   * chat at once, ten messages a minute each, writes 6,000 in ten minutes; the 600 chats that one address may begin in
   * a day come to 30,000 at 50 messages each. A visitor who writes every five seconds for eight hours sends 5,760. A
   * script that begins as many chats as it may therefore gets no further than an office at its busiest: at most 360 MB
   * a day, in the longest messages of the widest letters. The limit of a staff account is above what a program sends
   * for it.
   */
  messages: {
    sentence: 'A lot of messages have come in a short time.',
    address: [
      { points: 6_000, windowS: 10 * MINUTE_S, lease: 20 },
      { points: 30_000, windowS: DAY_S, lease: 100 },
    ],
    session: [
      { points: 800, windowS: 10 * MINUTE_S, lease: 20 },
      { points: 6_000, windowS: DAY_S, lease: 60 },
    ],
    account: [
      { points: 60_000, windowS: 10 * MINUTE_S, lease: 100 },
      { points: 600_000, windowS: DAY_S, lease: 500 },
    ],
  },
  /** Page views that a visitor's chat stores. */
  page_views: { sentence: BUSY, session: [{ points: 60, windowS: MINUTE_S }] },
  /** Files that visitors and staff send in chats, of at most 5 MiB. The limits of a chat are in events/chat/file.ts. */
  chat_files: {
    sentence: 'Many files have come in a short time.',
    address: [
      { points: 60, windowS: 10 * MINUTE_S },
      { points: 100, windowS: DAY_S },
    ],
    session: [{ points: 20, windowS: 10 * MINUTE_S }],
    account: [{ points: 200, windowS: HOUR_S }],
  },
  /** Files of chats that are fetched: the images of a chat that a page shows, and downloads. */
  chat_files_read: {
    sentence: 'Many files were opened in a short time.',
    address: [{ points: 1_200, windowS: 10 * MINUTE_S }],
    session: [{ points: 200, windowS: 10 * MINUTE_S }],
    account: [{ points: 2_000, windowS: 10 * MINUTE_S }],
  },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof LIMITS

/** Seconds until a refused caller tries again: the time at which a slot becomes free is unknown. */
const SLOT_RETRY_S = 10
/** A file transfer takes a moment on most networks. */
const TRANSFER_RETRY_S = 2

const OPEN_OFTEN = 'This chat is open in many places.'
const BUSY_NODE = 'Many files are on their way just now.'
const BUSY_TRANSFERS = 'Many files are on their way from your connection.'

/**
 * At most `most` of something at once, and at most `ofSite` for all addresses of an IPv6 /48. `sentence` is for the
 * person who has to wait, for `retryS` seconds.
 */
export type Slot = {
  readonly sentence: string
  readonly most: number
  readonly ofSite?: number
  readonly retryS: number
}

/**
 * How many of something an address, a chat, an account or all of them may hold at once on one node. Slots are counted
 * per node because an open socket or a file transfer takes memory of its node only. A count over nodes would have to
 * outlive a node that dies with its sockets, or would lose slots with it. With 4 nodes one address holds 2,000 sockets
 * at most, opened at 600 a minute over all nodes (`sockets`): a tenth of the 20,000 that nginx passes on. Each of them
 * sends within the `frames` and `messages` of its address.
 */
export const SLOTS = {
  /** Open sockets of an address. */
  sockets: { sentence: BUSY, most: 500, ofSite: 2_000, retryS: SLOT_RETRY_S },
  /** Sockets in one chat of people who opened it by its link. */
  sockets_of_chat: { sentence: OPEN_OFTEN, most: 30, retryS: SLOT_RETRY_S },
  /** Those of the device that began it: its visitor's tabs. Others with the link do not use up their slots. */
  own_sockets_of_chat: { sentence: OPEN_OFTEN, most: 30, retryS: SLOT_RETRY_S },
  /** Sockets of one account: its consoles. They do not count for their address. */
  sockets_of_account: { sentence: 'This account is open in many places.', most: 50, retryS: SLOT_RETRY_S },
  /** Streams of leads of one account or one program: each visible page holds one. */
  lead_streams_of_account: { sentence: 'This account is open in many places.', most: 20, retryS: SLOT_RETRY_S },
  /** Exports of one program, by its token. */
  exports_of_token: { sentence: 'This token has an export under way.', most: 1, retryS: SLOT_RETRY_S },
  /** Exports of one account of staff: half of a node's (api/leads/export.ts). */
  exports_of_account: { sentence: 'Exports of yours are under way.', most: 2, retryS: SLOT_RETRY_S },
  /**
   * Transfers of chat files into and out of a node, each file whole in memory: 160 MiB at most. They are counted for
   * the visitors of a node; separately for its staff, whom strangers cannot shut out; for an address, which takes a
   * quarter of the visitors' slots; and for a chat or a staff account.
   */
  chat_uploads: { sentence: BUSY_NODE, most: 8, retryS: TRANSFER_RETRY_S },
  /** Lead files that are uploaded to a node or previewed, each whole in memory and decoded: 60 MiB at most. */
  lead_imports: { sentence: 'Other files of leads are being read just now.', most: 2, retryS: TRANSFER_RETRY_S },
  lead_imports_of_account: { sentence: 'A file of yours is on its way already.', most: 1, retryS: TRANSFER_RETRY_S },
  chat_uploads_of_address: { sentence: BUSY_TRANSFERS, most: 2, ofSite: 4, retryS: TRANSFER_RETRY_S },
  chat_uploads_of_one: { sentence: 'A file is being sent already.', most: 1, retryS: TRANSFER_RETRY_S },
  chat_downloads: { sentence: BUSY_NODE, most: 8, retryS: TRANSFER_RETRY_S },
  chat_downloads_of_address: { sentence: BUSY_TRANSFERS, most: 2, ofSite: 4, retryS: TRANSFER_RETRY_S },
  chat_downloads_of_one: { sentence: 'Some files are being opened already.', most: 2, retryS: TRANSFER_RETRY_S },
} as const satisfies Record<string, Slot>

export type SlotName = keyof typeof SLOTS
