import { render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { SWRConfig } from 'swr'
import { expect, test } from 'vitest'
import { App } from '../../staff/shell/app.tsx'
import { QUIET, SIPHO, THANDI } from '../../testing/answers.ts'
import { ayanda, idOf, leadApi } from '../../testing/lead-api.ts'
import { answerRequests, requestsOf } from '../../testing/server.ts'
import { HandoverDialog } from './handover-dialog.tsx'

const SESSION = idOf(50)

/** Opens the dialog that hands over a chat with a lead that `ownerId` owns. */
const handingOver = async (ownerId: string | null) => {
  const api = leadApi(ayanda({ ownerId }))
  answerRequests({ ...QUIET, ...api.answers, [`POST /api/chats/${SESSION}/assign`]: { version: 2 } })
  let closed = 0
  render(
    <SWRConfig value={{ dedupingInterval: 0 }}>
      <App go={() => {}}>
        <MemoryRouter>
          <HandoverDialog
            sessionId={SESSION}
            leadId={idOf(1)}
            assignment={{ version: 1, to: { staffId: THANDI.id, name: THANDI.displayName } }}
            chats={{}}
            myId={THANDI.id}
            note=""
            onNote={() => {}}
            onClose={() => {
              closed += 1
            }}
          />
        </MemoryRouter>
      </App>
    </SWRConfig>,
  )
  const user = userEvent.setup({ document })
  const dialog = within(await screen.findByRole('dialog', { name: 'Hand over this chat' }))
  const along = await dialog.findByLabelText<HTMLInputElement>('Give them the lead as well: Ayanda Cele')
  const handOver = async () => {
    await user.selectOptions(dialog.getByLabelText('To'), await dialog.findByRole('option', { name: 'Sipho' }))
    await user.click(dialog.getByRole('button', { name: 'Hand over' }))
    await waitFor(() => expect(closed).toBe(1))
  }
  return { user, dialog, along, handOver, api }
}
const given = () => requestsOf(`PATCH /api/leads/${idOf(1)}`).map(({ body }) => body)

test('Handing a chat over also hands over its lead if the staff member owns that', async () => {
  const { dialog, along, handOver, api } = await handingOver(THANDI.id)
  dialog.getByText('You own it.')
  expect(along.checked).toBe(true)
  await handOver()
  await waitFor(() => expect(given()).toEqual([{ ownerId: SIPHO.id }]))
  await waitFor(() => expect(api.lead.ownerId).toBe(SIPHO.id))
  expect(requestsOf(`POST /api/chats/${SESSION}/assign`)).toMatchObject([{ body: { to: SIPHO.id, version: 1 } }])
})

test('The lead stays if the staff member says otherwise', async () => {
  const { user, along, handOver } = await handingOver(THANDI.id)
  await user.click(along)
  await handOver()
  expect(given()).toEqual([])
})

test('A lead that a colleague owns, or that is unassigned, is not handed over by default', async () => {
  const { dialog, along } = await handingOver(null)
  dialog.getByText('It is unassigned.')
  expect(along.checked).toBe(false)
})
