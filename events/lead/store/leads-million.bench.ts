import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { agencyDay } from '../../base/agency-day.ts'
import { DAY_MS } from '../../base/time.ts'
import { chatsProjection } from '../../chat/store/view.ts'
import { DISPATCH } from '../../consumers/acting-consumers.ts'
import { NO_INDEX } from '../../local/bench/claims.ts'
import { aUnit, type Cost } from '../../local/bench/cost.ts'
import { openMeter } from '../../local/bench/meter.ts'
import { OURS, PACE, paced, reportSeries } from '../../local/bench/reported.ts'
import { figureOf, median, printTable, quantile } from '../../local/figures.ts'
import { startNodeProcess } from '../../local/node-process.ts'
import { freePort } from '../../local/port.ts'
import { prepareCheckpoint, resetCheckpoint } from '../../log/checkpoints.ts'
import { migrate } from '../../log/migrate.ts'
import { readHead } from '../../log/read.ts'
import { prepareProjection, schemaOf } from '../../projections/projection.ts'
import { connect } from '../../stores/connection.ts'
import { TEST_DATA_KEY } from '../../testing/keys.ts'
import { FOLLOW_UP_STATUSES } from '../follow-up/follow-up.ts'
import { LEAD_PACKAGES, LEAD_SOURCES } from '../form/kind.ts'
import { type Lead, leadSubmitted } from '../lead.ts'
import { countLeads, type LeadFilter, listLeads } from './lead-list.ts'
import { overviewProjection } from './overview.ts'
import { countFlagged, findLeadsNamed } from './palette.ts'
import { leadsProjection, UNASSIGNED_ID } from './view.ts'

/**
 * Reading a view of 1,000,000 leads, 100,000 of them in the last month: a page of a search, a day, the counts, the
 * dashboard's first content and Today through an API node, and any three filters at once. The peer searches the same
 * leads without an index.
 *
 * Measured on a noisy machine with two cores. A page of a search of three letters or more: p50 3.3 ms, p95 36 ms (words
 * that only the oldest tenth has), 2.6 s without an index. Any three filters at once, with other work at the same time:
 * p95 25 ms for a page and 24 ms for the counts. The list of a day, and the dashboard's first content over HTTP: p95
 * 1.1 ms and 19 ms, 4.2 s without an index.
 */

const VIEW = schemaOf(leadsProjection)
const OVERVIEW = schemaOf(overviewProjection)
const LEADS = paced({ full: 1_000_000, quick: 20_000 })
const PAGE = 50
/** The share of the leads that search terms are taken from. */
const SAMPLED_PERCENT = paced({ full: 1, quick: 50 })
const SAMPLES = paced({ full: 60, quick: 10 })
const PEER_SAMPLES = paced({ full: 2, report: 1, quick: 1 })
/** The samples of each combination. */
const FILTERED_SAMPLES = paced({ full: 10, quick: 2 })
const FIRST_CONTENT_SAMPLES = 20
const WANTED_SEARCH_MS = 50
const WANTED_DAY_MS = 30
const WANTED_PALETTE_MS = 50
const PALETTE_LEADS = 8
const MAX_PALETTE_CHARACTERS = 100
const WANTED_FILTERED_MS = 80
const WANTED_FIRST_CONTENT_MS = 1_000
const WANTED_TODAY_MS = 100
const TODAY_SAMPLES = 100
/** One lead in this many has a next action. */
const NEXT_ACTION_EVERY = 100
/** The interval between leads: 1,000,000 of them are ten months. */
const LEAD_EVERY = '25.92 seconds'

const FIRST_NAMES =
  'Thandi Sipho Lerato Ana Bongani Chris Zanele Pieter Johan Naledi Kagiso Themba Ayanda Lungile Nomsa Fatima Yusuf Priya ' +
  'Rajesh Kavitha Willem Hendrik Annelie Riaan Deon Elize Tshepo Mpho Refilwe Palesa Karabo Buhle Sibusiso Zodwa Xolani ' +
  'Unathi Vuyo Wandile Jabulani Michael Sarah Emily James Oliver Grace Daniel Quinton Zoë François'
const LAST_NAMES =
  'Nkosi Dlamini Botha Naidoo Pillay Khumalo Mokoena Molefe Ndlovu Zulu Mthembu Sithole Radebe Venter Fourie Kruger Steyn ' +
  'Pretorius Joubert Nel Meyer Coetzee Smith Jones Williams Brown Adams Jacobs Petersen Govender Reddy Moodley Patel ' +
  "Mohamed Müller O'Hara Xaba Cele Gumede Hadebe Qwabe Mkhize Ngcobo Shabalala Vilakazi Phiri Banda Moyo Ncube Sibanda"
const TRADES =
  'Bakery Plumbing Electrical Motors Interiors Catering Legal Dental Fitness Photography Landscaping Security Logistics ' +
  'Textiles Furniture Roofing Optics Pharmacy Nursery Travel Guesthouse Brewery Coffee Books Media Builders Cleaning'
const HOSTS = 'gmail.com outlook.com yahoo.com webmail.example icloud.com shop.example business.example'

/** More of some than of others, as in life. */
const SOURCES = 'contact_form contact_form contact_form hero_form hero_form live_chat contract_professional other'
const PACKAGES = 'professional professional professional none none essential premium custom'
const OWNERS = [UNASSIGNED_ID, ...Array.from({ length: 8 }, () => randomUUID())]

/** Forty leads have the first word, spread over all the time; the oldest tenth has the second, and no other. */
const RARE = 'Vyxqu Traders'
const LONG_AGO = 'Zwykj Holdings'

const databaseUrl = process.env.DATABASE_URL ?? ''
await migrate(databaseUrl)
const sql = connect(databaseUrl, { max: 4, name: 'bench', statementTimeoutMs: 0 })

const now = new Date()
const pick = (words: string) =>
  sql`(string_to_array(${words}, ' '))[1 + floor(random() * ${words.split(' ').length})::integer]`

/** One flagged lead per this many others; and how many contracts there are of each state of their email. */
const FLAGGED_EVERY = 10
const WAITING_UNSENT = 300

/**
 * Flagged leads, most of them spam, some of them contracts; and the emails of contracts: nearly all delivered, as in an
 * agency that has sent email for years, a few not sent.
 */
const fillUnsent = async () => {
  await sql`
    insert into ${sql(VIEW)}.entries (position, id, submitted_at, is_suspect, search, status, owner_id, source, package,
      is_waiting, next_action_on)
    select ${LEADS} + position, gen_random_uuid(), submitted_at, true, search, 'new', ${UNASSIGNED_ID},
      case when position % 10_000 = 0 then 'contract_premium' else 'contact_form' end, package, true, null
    from ${sql(VIEW)}.entries where position % ${FLAGGED_EVERY} = 0`
  await sql`
    insert into ${sql(VIEW)}.leads (id, position, changed_position, is_suspect, lead)
    select e.id, e.position, e.position, true, l.lead from ${sql(VIEW)}.entries e
    join ${sql(VIEW)}.entries o on o.position = e.position - ${LEADS} join ${sql(VIEW)}.leads l on l.id = o.id
    where e.is_suspect`
  await sql`
    insert into deliveries (event_id, event_position, stream, state)
    select id, row_number() over (order by position), 'lead-' || id, case when is_waiting and position % ${WAITING_UNSENT} = 0 then 'outbox' else 'delivered' end
    from ${sql(VIEW)}.entries where source = 'contract_professional' and not is_suspect`
  await sql`
    insert into events (position, id, stream, version, type, schema_version, data, metadata, recorded_at, hash)
    select event_position, event_id, stream, 1, ${leadSubmitted.type}, ${leadSubmitted.schemaVersion},
      ${sql.json({ source: 'contract_professional', package: 'professional', isContract: true })}, '{}', now(), ''
    from deliveries`
  await sql`vacuum analyze deliveries`
  await sql`vacuum analyze events`
}

/** Writes directly into the view: only reading is measured. */
const fill = async () => {
  // while the log is empty: of a longer one it would have to be rebuilt
  await prepareProjection(sql, chatsProjection)
  await sql.unsafe(`create schema ${VIEW}; ${leadsProjection.tables(VIEW)}`)
  await sql`
    create temporary table people as
    select n as position, gen_random_uuid() as id, ${now}::timestamptz - (${LEADS} - n) * ${LEAD_EVERY}::interval as at,
      ${pick(FIRST_NAMES)} as first, ${pick(LAST_NAMES)} as last, ${pick(HOSTS)} as host, ${pick(TRADES)} as trade,
      (600000000 + floor(random() * 300000000))::bigint::text as digits, random() as chance
    from generate_series(1, ${LEADS}) n`
  await sql`
    create temporary table filled as
    select position, id, at, chance, first || ' ' || last as name, '0' || left(digits, 2) || ' ' || substr(digits, 3) as phone,
      lower(first || '.' || last) || position % 9973 || '@' || host as email, '27' || digits as phone_key,
      case when position % 25000 = 0 then ${RARE} when position <= ${LEADS / 10} then ${LONG_AGO}
        when chance < 0.4 then last || ' ' || trade end as company,
      case when chance > 0.7 then first || '''s ' || trade end as business
    from people`
  await sql`
    insert into ${sql(VIEW)}.entries (position, id, submitted_at, is_suspect, search, status, owner_id, source, package,
      is_waiting, next_action_on)
    select position, id, at, false,
      case when octet_length(search) > char_length(search) then search || E'\\n' || translate(search, 'ëçü', 'ecu') else search end,
      status, case when status = 'new' then ${UNASSIGNED_ID} else owner_id end, source, package, status = 'new',
      case when position % ${NEXT_ACTION_EVERY} = 0 then to_char(at + interval '1 month', 'YYYY-MM-DD') end
    from filled cross join lateral (
      select lower(concat_ws(E'\\n', name, business, email, phone, company, phone_key)) as search
    ) searched join lateral (
      select case when position > ${LEADS - LEADS / 50} or chance < 0.02 then 'new' else ${pick('contacted contacted quoted won lost lost lost lost')} end
          as status,
        ${pick(OWNERS.join(' '))}::uuid as owner_id, ${pick(SOURCES)} as source, ${pick(PACKAGES)} as package
      where position > 0
    ) kind on true
    order by position`
  await sql`
    insert into ${sql(VIEW)}.leads (id, position, changed_position, is_suspect, email_key, phone_key, lead)
    select id, position, position, false, email, phone_key, json_build_object('id', id, 'name', name, 'email', email,
      'phone', phone, 'company', company, 'businessName', business, 'industry', 'whatsapp', 'package', 'professional',
      'message', 'We want people to find our opening hours and order online. ' || repeat(md5(id::text) || ' ', 4),
      'timeline', '2-4weeks', 'leadSource', 'hero_form', 'pageUrl', 'https://www.example.co.za/', 'agreedToTerms', null,
      'firstTouch', null, 'lastTouch', null, 'timestamp', to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'followUpStatus', 'new', 'conversionDate', null, 'projectValue', null, 'ownerId', null, 'nextActionDate', null,
      'answeredAt', null, 'answeredBy', null, 'givenAnswers', json_build_array(), 'emailStatus', null, 'version', 1)
    from filled order by position`
  await fillUnsent()
  await sql.unsafe(`create schema ${OVERVIEW}; ${overviewProjection.tables(OVERVIEW)}`)
  await sql`
    insert into ${sql(OVERVIEW)}.facts (lead_id, valid_from, submitted_at, source, package, is_suspect, is_erased, follow_up_status,
      reply_time)
    select id, submitted_at, submitted_at, source, package, false, false, status, case when is_waiting then 'waiting' else 'later' end
    from ${sql(VIEW)}.entries`
  await sql.unsafe(
    `set maintenance_work_mem = '256MB'; ${leadsProjection.indexes(VIEW)}; ${overviewProjection.indexes?.(OVERVIEW)}`,
  )
  await sql`vacuum analyze ${sql(VIEW)}.entries`
  await sql`vacuum analyze ${sql(VIEW)}.leads`
  await sql`vacuum analyze ${sql(OVERVIEW)}.facts`
  const head = await readHead(sql)
  for (const consumer of [leadsProjection, overviewProjection, chatsProjection, DISPATCH]) {
    await prepareCheckpoint(sql, consumer, { isFilled: true })
    await resetCheckpoint(sql, consumer, head)
  }
}

const timed = async (work: () => Promise<unknown>) => {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

const sampled = async (inputs: readonly LeadFilter[], work: (filter: LeadFilter) => Promise<unknown>) => {
  const samples: number[] = []
  for (const filter of inputs) samples.push(await timed(() => work(filter)))
  return samples
}

const search = (filter: LeadFilter): Promise<Lead[]> => listLeads(sql, { sort: 'desc', ...filter }, { limit: PAGE })
const peerSearch = ({ from, to, q = '' }: LeadFilter) => sql`
  select lead from ${sql(VIEW)}.leads where lead::text ilike ${`%${q}%`}
    ${from && to ? sql`and (lead ->> 'timestamp')::timestamptz >= ${from} and (lead ->> 'timestamp')::timestamptz < ${to}` : sql``}
  order by lead ->> 'timestamp' desc limit ${PAGE}`

const month = { from: new Date(now.getTime() - 30 * DAY_MS), to: new Date(now.getTime() + DAY_MS) }

/** Pieces of three letters out of the leads themselves: as often common ones as there are leads that have them. */
const pieces = async (pattern: string) => {
  const rows = await sql<{ piece: string | null }[]>`
    select substring(substr(search, 1 + floor(random() * length(search))::integer) from ${pattern}) as piece
    from ${sql(VIEW)}.entries tablesample system (${sql.unsafe(String(SAMPLED_PERCENT))}) order by random() limit ${SAMPLES * 2}`
  return rows.flatMap(({ piece }) => piece ?? []).slice(0, SAMPLES)
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
const anyLetters = () =>
  Array.from({ length: 3 }, () => letters.charAt(Math.floor(Math.random() * letters.length))).join('')

const begin = performance.now()
await fill()
process.stdout.write(`  filled with ${LEADS} leads in ${((performance.now() - begin) / 1000).toFixed(0)} s\n`)

const FEW_LETTERS = 'one or two letters'
const terms: [kind: string, terms: string[]][] = [
  ['as common as in the leads', await pieces('[a-zë]{3}')],
  ['any three letters', Array.from({ length: SAMPLES }, anyLetters)],
  ['three digits of a number', await pieces('[0-9]{3}')],
  ['the beginning of a number', (await pieces('[0-9]{3}')).map((digits) => `0${digits.slice(0, 2)} ${digits}`)],
  ['in 40 leads', Array.from({ length: SAMPLES }, (_, index) => ['vyx', 'yxq', 'xqu', 'vyxqu t'][index % 4] ?? '')],
  ['in the oldest tenth alone', Array.from({ length: SAMPLES }, (_, index) => ['zwy', 'wyk', 'ykj'][index % 3] ?? '')],
  [
    'in none',
    Array.from({ length: SAMPLES }, (_, index) => ['qqz', 'jxw', 'vvq', 'zqj', 'x'.repeat(10_240)][index % 5] ?? ''),
  ],
  [FEW_LETTERS, ['q', 'z', 'a', 'e', 'qz', 'xj', 'vy', 'th', 'me', 'zu'].flatMap((q) => [q, q])],
  ['signs', ['%', '_', '\\', '"', "'", '😀', '%_%', '…–…', "o'h"].flatMap((q) => [q, q])],
]
/** Texts without a trigram, which are searched for in another way. */
const SHORT = [FEW_LETTERS, 'signs']

const meter = await openMeter()
const rows: string[][] = []
const every: number[] = []
const costs: Cost[] = []
const peerP50: number[] = []
const note = (name: string, samples: number[], wanted: string, peer?: number[]) => {
  const ratio = peer ? (median(peer) / median(samples)).toFixed(0) : ''
  rows.push([
    name,
    figureOf(median(samples)),
    figureOf(quantile(samples, 0.95)),
    wanted,
    peer ? figureOf(median(peer)) : '',
    ratio,
  ])
}

await sampled(
  terms.flatMap(([, list]) => list.slice(0, 5)).map((q) => ({ q })),
  search,
)
for (const [period, bounds] of [
  ['all', {}],
  ['a month', month],
] as const) {
  for (const [kind, list] of terms) {
    const filters = list.map((q) => ({ q, ...bounds }))
    const { result: samples, cost } = await meter.during([process.pid], () => sampled(filters, search))
    if (!SHORT.includes(kind)) {
      every.push(...samples)
      costs.push(aUnit(cost, samples.length))
    }
    const isWithPeer = ['as common as in the leads', 'in 40 leads', 'in none'].includes(kind)
    const peer = isWithPeer ? await sampled(filters.slice(0, PEER_SAMPLES), peerSearch) : undefined
    if (peer) peerP50.push(median(peer))
    note(`page, ${kind} (${period})`, samples, '', peer)
  }
}
reportSeries('search', { [OURS]: [quantile(every, 0.95)], [NO_INDEX]: peerP50 }, { [OURS]: costs })
note('page, all of three letters and more', every, `p95 under ${WANTED_SEARCH_MS}`)

const common = terms[0]?.[1] ?? []
const count = (filter: LeadFilter) => countLeads(sql, filter)
const searchesOfAll = common.slice(0, 20).map((q) => ({ q }))
const { result: ofAll, cost: costOfAll } = await meter.during([process.pid], () => sampled(searchesOfAll, count))
reportSeries('search-count', { [OURS]: [quantile(ofAll, 0.95)] }, { [OURS]: [aUnit(costOfAll, ofAll.length)] })
note('counts of all, searched', ofAll, '')

/** Prints the measurements, and ends. */
const finish = async () => {
  printTable(['ms', 'p50', 'p95', 'wanted', 'no index p50', 'ratio'], rows)
  await sql.end()
  process.exit(0)
}
if (PACE !== 'full') await finish()

const asPalette = ({ q = '' }: LeadFilter) => {
  const typed = q.slice(0, MAX_PALETTE_CHARACTERS)
  return Promise.all([findLeadsNamed(sql, typed, PALETTE_LEADS), countFlagged(sql, typed)])
}
const keys = terms.map(([kind, list]) => ({ kind, filters: list.map((q) => ({ q })) }))
const keysOf = (isShort: boolean) =>
  keys.filter(({ kind }) => SHORT.includes(kind) === isShort).flatMap(({ filters }) => filters)
const ofShort = await sampled(keysOf(true), asPalette)
const ofLong = await sampled(keysOf(false), asPalette)
note('palette, one or two letters, signs', ofShort, `p95 under ${WANTED_PALETTE_MS}`)
note('palette, three letters and more', ofLong, `p95 under ${WANTED_PALETTE_MS}`)

const days = Array.from({ length: SAMPLES }, (_, index) => {
  const to = new Date(now.getTime() - index * 4 * DAY_MS)
  return { from: new Date(to.getTime() - DAY_MS), to }
})
const ofDays = { ours: await sampled(days, search), peer: await sampled(days.slice(0, PEER_SAMPLES), peerSearch) }
note('list of a day', ofDays.ours, `p95 under ${WANTED_DAY_MS}`, ofDays.peer)

const any = <T>(of: readonly T[]) => of[Math.floor(Math.random() * of.length)] as T
const FILTERS: (() => LeadFilter)[] = [
  () => ({ status: any(FOLLOW_UP_STATUSES) }),
  () => ({ ownerId: any([null, ...OWNERS]) }),
  () => ({ source: any(LEAD_SOURCES) }),
  () => ({ package: any(LEAD_PACKAGES) }),
  () => ({ overdueBy: new Date(now.getTime() - DAY_MS / 12) }),
  () => ({ nextActionBy: agencyDay(now) }),
  () => any([month, ...days]),
]
/** Each three of the filters, each time with other values. */
const threes = FILTERS.flatMap((first, index) =>
  FILTERS.slice(index + 1).flatMap((second, next) =>
    FILTERS.slice(index + next + 2).flatMap((third) =>
      Array.from({ length: FILTERED_SAMPLES }, () => ({ ...first(), ...second(), ...third() })),
    ),
  ),
)
const wantedFiltered = `p95 under ${WANTED_FILTERED_MS}`
note('page, any three filters', await sampled(threes, search), wantedFiltered)
note('counts, any three filters', await sampled(threes, (filter) => countLeads(sql, filter)), wantedFiltered)

const deep = { limit: PAGE, offset: 90_000 }
const deepPages = Array.from({ length: 5 }, () => month)
note(
  'list of a month at 90,000',
  await sampled(deepPages, (filter) => listLeads(sql, { sort: 'desc', ...filter }, deep)),
  '',
)

note(
  'counts of a month',
  await sampled(
    Array.from({ length: 20 }, () => month),
    count,
  ),
  '',
)
note(
  'counts of a month, searched',
  await sampled(
    common.slice(0, 20).map((q) => ({ q, ...month })),
    count,
  ),
  '',
)
note(
  'counts of all',
  await sampled(
    Array.from({ length: 5 }, () => ({})),
    count,
  ),
  '',
)

const port = await freePort()
const api = await startNodeProcess(fileURLToPath(new URL('../../../api/process/main.ts', import.meta.url)), {
  ...process.env,
  PORT: String(port),
  NODES: '1',
  SESSION_SECRET: 'only for this benchmark',
  DATA_KEY: TEST_DATA_KEY,
  STAFF_USERNAME: 'bench',
  STAFF_PASSWORD: 'only for this benchmark',
  LOG_LEVEL: 'warn',
})
const url = `http://127.0.0.1:${port}`
const login = await fetch(`${url}/api/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username: 'bench', password: 'only for this benchmark' }),
})
const headers = { cookie: login.headers.get('set-cookie')?.split(';')[0] ?? '' }
const get = async (path: string) => {
  const response = await fetch(url + path, { headers })
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}`)
  await response.json()
}
const firstContent = ({ from, to, q }: LeadFilter) => {
  const query = new URLSearchParams({ from: from?.toISOString() ?? '', to: to?.toISOString() ?? '', ...(q && { q }) })
  return Promise.all([get(`/api/leads?${query}&limit=${PAGE}`), get(`/api/leads/summary?${query}`)])
}
await firstContent(month)
const wanted = `under ${WANTED_FIRST_CONTENT_MS}`
const months = Array.from({ length: FIRST_CONTENT_SAMPLES }, () => month)
note("dashboard's first content, a month", await sampled(months, firstContent), wanted)
const searched = common.slice(0, FIRST_CONTENT_SAMPLES).map((q) => ({ q, ...month }))
note("dashboard's first content, searched", await sampled(searched, firstContent), wanted)

const today = Array.from({ length: TODAY_SAMPLES }, () => ({}))
note('Today', await sampled(today, () => get('/api/today')), `p95 under ${WANTED_TODAY_MS}`)

await api.stop()
await finish()
