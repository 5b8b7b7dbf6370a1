import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../../events/local/port.ts'
import { createTestDatabase, type TestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { eventually, startTestNode, startTestWorker, type TestNode } from '../../events/testing/node.ts'
import type { TestProcess } from '../../events/testing/process.ts'
import { joinChat, say } from '../testing/socket-client.ts'

/** Metrics that Prometheus makes itself. */
const OF_PROMETHEUS = new Map([['up', new Set(['job', 'instance'])]])
/** Words of the query language, and the functions that are used here. */
const WORDS = new Set(['by', 'and', 'on', 'sum', 'max', 'rate', 'absent', 'topk', 'histogram_quantile'])
/** Labels that Prometheus adds to every metric. */
const EVERYWHERE = ['job', 'instance']
const EMAILS_TIMEOUT_MS = 60_000

const read = (name: string) => readFileSync(`api/monitoring/${name}`, 'utf8')
/** The fields of a rule that Prometheus accepts; it refuses a file with any other. */
const rule = v.strictObject({
  alert: v.string(),
  expr: v.string(),
  for: v.optional(v.pipe(v.string(), v.regex(/^\d+[sm]$/))),
  labels: v.strictObject({ severity: v.picklist(['page', 'ticket']) }),
  annotations: v.strictObject({ summary: v.string() }),
})
const rulesFile = v.strictObject({ groups: v.array(v.strictObject({ name: v.string(), rules: v.array(rule) })) })
const alertExpressions = v
  .parse(rulesFile, parse(read('alerts.yml')))
  .groups.flatMap(({ rules }) => rules.map(({ expr }) => expr))
const dashboard: { panels: { title: string; targets: { expr: string; legendFormat: string }[] }[] } = JSON.parse(
  read('dashboard.json'),
)
const expressions = [...alertExpressions, ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))]

/** The metrics in an expression, each with the labels that it selects by, and all labels that it groups by. */
const namesIn = (expression: string) => {
  const groups = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/))
  const rest = expression.replaceAll(/\bby \([^)]*\)/g, '').replaceAll(/\[\w+\]/g, '')
  const metrics = [...rest.matchAll(/(?<!["\w.|])([a-z_]\w*)(?:\{([^}]*)\})?(?!["\w])/g)]
    .filter(([, name = '']) => !WORDS.has(name))
    .map(([, name = '', chosen = '']) => ({
      name,
      chosen: [...chosen.matchAll(/(\w+)(?:=~|!~|!=|=)"([^"]*)"/g)].map(([, label = '', value = '']) => ({
        label,
        value,
      })),
    }))
  return { metrics, groups }
}

/** The labels of each metric in Prometheus's text format, with the values that they have. */
const labelsOf = (text: string) => {
  const found = new Map<string, Map<string, Set<string>>>()
  for (const line of text.split('\n').filter((each) => /^[a-z]/.test(each))) {
    const [, name = '', list = ''] = /^([\w:]+)(?:\{(.*)\})? /.exec(line) ?? []
    const labels = found.get(name) ?? new Map<string, Set<string>>()
    found.set(name, labels)
    for (const [, label = '', value = ''] of list.matchAll(/(\w+)="([^"]*)"/g)) {
      labels.set(label, (labels.get(label) ?? new Set()).add(value))
    }
  }
  return found
}

let database: TestDatabase
let node: TestNode
let worker: TestProcess
let told: ReturnType<typeof labelsOf>

beforeAll(async () => {
  database = await createTestDatabase()
  const stores = { databaseUrl: database.url, redisUrl: await testRedisUrl() }
  const port = await freePort()
  ;[node, worker] = await Promise.all([
    startTestNode(stores),
    startTestWorker(stores, { WORKER_PORT: String(port), EMAIL_FORWARD_URL: 'http://127.0.0.1:9/' }),
  ])
  const person = { name: 'Ana', email: 'ana@example.com', phone: '082 555 0199', businessName: 'Ana’s' }
  const contract = { ...person, leadSource: 'contract_premium', agreedToTerms: true }
  expect((await node.post('/api/leads', contract)).status).toBe(201)
  const { client, sessionId } = await joinChat(node)
  await say(client, sessionId, 'hello', 'first')
  await client.close()
  const metrics = async (url: string) => (await fetch(`${url}/metrics`)).text()
  await eventually(async () => {
    // the email is refused and waits: a job does not stay in this state for long
    const text = `${await metrics(node.url)}\n${await metrics(`http://127.0.0.1:${port}`)}`
    expect(text).toMatch(/^email_attempts_total\{/m)
    expect(text).toMatch(/^projection_batch_events_bucket\{/m)
    told = labelsOf(text)
  }, EMAILS_TIMEOUT_MS)
})

afterAll(async () => {
  await Promise.all([node?.stop(), worker?.stop()])
  await database?.drop()
})

/** A gauge without a current value appears by its name alone. */
const HELP_ONLY: Record<string, string[]> = { queue_oldest_job_age_seconds: ['queue', 'priority'] }

const labelsFor = (name: string): Iterable<string> | undefined =>
  OF_PROMETHEUS.get(name) ?? told.get(name)?.keys() ?? HELP_ONLY[name]

test('the dashboard and the alerts ask for something', () => {
  expect(alertExpressions.length).toBeGreaterThan(10)
  expect(dashboard.panels.length).toBeGreaterThan(15)
})

test.each(expressions)('nodes and workers report the metrics of: %s', (expression) => {
  const { metrics, groups } = namesIn(expression)
  expect(metrics.length).toBeGreaterThan(0)
  for (const { name, chosen } of metrics) {
    const labels = labelsFor(name)
    expect(labels, name).toBeDefined()
    const known = [...(labels ?? []), ...EVERYWHERE]
    for (const { label } of chosen) expect(known, `${name}{${label}}`).toContain(label)
    for (const label of groups) expect(known, `by (${label}) of ${name}`).toContain(label)
  }
})

test.each(
  expressions.flatMap((expression) => [...expression.matchAll(/queue=~"([^"]*)"/g)].map(([, list]) => list ?? '')),
)('these queues are there: %s', (list) => {
  for (const queue of list.split('|')) expect([...(told.get('bullmq_job_count')?.get('queue') ?? [])]).toContain(queue)
})

test.each(dashboard.panels)('the legend of “$title” names labels that its lines have', ({ targets }) => {
  for (const { expr, legendFormat } of targets) {
    const { metrics, groups } = namesIn(expr)
    const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
    const kept = groups.length > 0 ? groups : [...(labelsFor(metrics[0]?.name ?? '') ?? []), ...EVERYWHERE]
    for (const label of named) expect(kept).toContain(label)
  }
})

test('a metric that no process reports would be found', () => {
  expect(labelsFor('http_requests_total')).toBeUndefined()
})
