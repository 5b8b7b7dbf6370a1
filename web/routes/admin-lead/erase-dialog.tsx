import { useState } from 'react'
import type { Lead } from '../../../events/lead/wire.ts'
import { counted } from '../../staff/leads/shown/labels.ts'
import { EraseWord, isEraseWord } from '../../staff/privacy/erase-word.tsx'
import { reasonOf } from '../../staff/requests/refusal.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { colour, space } from '../../ui/theme.ts'
import { ContractChoice } from './contract-choice.tsx'
import { EraseList } from './erase-list.tsx'
import { useErasure } from './use-erasure.ts'

/** Lets an owner erase a person for good, in the leads that they tick, once the word is typed. */
export const EraseDialog = ({ lead, onClose, onErased }: { lead: Lead; onClose: () => void; onErased: () => void }) => {
  const [typed, setTyped] = useState('')
  const { leads, chats, goingCount, toStore, contracts, left, isErasing, isHeld, isReady, failure, ...erasure } =
    useErasure(lead, {
      isConfirmed: isEraseWord(typed),
      onErased,
      onMore: () => setTyped(''),
      onClose,
    })
  const hasBegun = left !== undefined
  return (
    <Dialog title={`Erase ${lead.name}?`} isHeld={isHeld} onClose={onClose}>
      <form onSubmit={erasure.erase} css={{ display: 'grid', gap: space.base }}>
        <p>
          Name, email, phone, messages, notes and chats are erased for good, in each lead that is ticked. The reports
          keep anonymous totals. This can’t be undone.
        </p>
        {leads && (
          <EraseList leads={leads} chats={chats} goingCount={goingCount} isHeld={isErasing} onTick={erasure.tick} />
        )}
        {!leads && !failure && <p role="status">Checking what will be erased...</p>}
        {failure && (
          <div role="alert" css={{ display: 'grid', justifyItems: 'start', gap: space.tight }}>
            <p>We could not check what will be erased. {reasonOf(failure)}</p>
            <Button look="outline" onClick={erasure.lookAgain}>
              Try again
            </Button>
          </div>
        )}
        {toStore.length > 0 && (
          <ContractChoice leads={toStore} chosen={contracts} isHeld={isErasing} onChoose={erasure.chooseContracts} />
        )}
        <EraseWord typed={typed} onType={setTyped} />
        {hasBegun && <p role="status">This continues in the background: you can close it and leave the page.</p>}
        <DialogActions>
          <Button
            type="submit"
            aria-disabled={!isReady}
            css={{ background: colour.bad, ':hover:not(:disabled)': { background: colour.bad } }}
          >
            {isErasing
              ? `Erasing...${hasBegun ? ` ${left} left` : ''}`
              : `Erase${leads ? ` ${counted(goingCount, 'lead')}` : ''}`}
          </Button>
          <Button look="outline" aria-disabled={isHeld} onClick={() => isHeld || onClose()}>
            {hasBegun ? 'Close' : 'Cancel'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
