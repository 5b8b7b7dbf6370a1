import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'

const WARNINGS = {
  broken:
    'A request came through fewer proxies than TRUST_PROXY, or through one that TRUSTED_PROXIES lacks, and counts as the last of them. Where all requests do, all visitors share the limits of one address',
  too_few:
    'PUBLIC_URL is https, and the one proxy that TRUST_PROXY believes got a request without TLS: where another one before it ends TLS, all visitors share the limits of its address. Count both in TRUST_PROXY',
}

/** A fault in the set-up of proxies that a request reveals. Each can make all visitors count as one address. */
export type ProxyFlaw = keyof typeof WARNINGS

/** Counts requests that reveal a wrong proxy configuration, and warns of each kind once per process. */
export const watchProxies = ({ logger, registers }: { logger: Logger; registers: Registry[] }) => {
  const flaws = new Counter({
    name: 'proxy_flaws_total',
    help: 'Requests that came by fewer or other proxies than TRUST_PROXY and TRUSTED_PROXIES say',
    labelNames: ['flaw'],
    registers,
  })
  for (const flaw of Object.keys(WARNINGS)) flaws.inc({ flaw }, 0)
  const warned = new Set<ProxyFlaw>()
  return (flaw: ProxyFlaw) => {
    flaws.inc({ flaw })
    if (warned.has(flaw)) return
    warned.add(flaw)
    logger.warn({ flaw }, WARNINGS[flaw])
  }
}
