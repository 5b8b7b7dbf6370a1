import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** One address in front of several nodes, like a load balancer. */
export type TestFront = {
  url: string
  /** Sends new connections from now on to the first of these nodes that takes them. */
  lead: (...nodeUrls: string[]) => void
  close: () => Promise<void>
}

/** Opens a front without any nodes yet, because nodes need its address. */
export const openTestFront = async (): Promise<TestFront> => {
  const clients = new Set<Socket>()
  let targets: URL[] = []

  const join = (client: Socket, [target, ...others]: URL[]) => {
    if (!target || client.destroyed) return client.destroy()
    const node = connect(Number(target.port), target.hostname)
    node.once('connect', () => {
      client.pipe(node).pipe(client)
      node.once('close', () => client.destroy())
    })
    node.on('error', () => (node.connecting || node.pending ? join(client, others) : client.destroy()))
    client.once('close', () => node.destroy())
  }

  const server = createServer((client) => {
    clients.add(client)
    client.on('error', () => client.destroy())
    client.once('close', () => clients.delete(client))
    join(client, targets)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lead: (...nodeUrls) => {
      targets = nodeUrls.map((url) => new URL(url))
    },
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const client of clients) client.destroy()
      await closed
    },
  }
}
