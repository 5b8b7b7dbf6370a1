import { type FormEvent, useState } from 'react'
import type { Lead } from '../../../events/lead/wire.ts'
import { useUnsaved } from '../../staff/drafts/unsaved.ts'
import { reasonOf } from '../../staff/requests/refusal.ts'
import { toast } from '../../ui/toast/toasts.ts'
import { chooseLeads, type ErasableLead, includedChats, stayingInWords, type Ticks } from './erase-choice.ts'
import { erasableOf, erasePerson, useErasable } from './erasure.ts'

/** The leads that stay with some contracts: those that were merged with one of them. */
const familiesOf = (contracts: readonly ErasableLead[], leads: readonly ErasableLead[]) => {
  const heads = new Set(contracts.map(({ follows }) => follows))
  return leads.filter(({ follows }) => heads.has(follows))
}

/**
 * The erasure of a person: the leads and chats that may be erased, the ticked ones, and how many are left. `isConfirmed` is
 * whether the word is typed. `onMore` is called when the list has changed since it was fetched, `onClose` when the
 * workers finish alone.
 */
export const useErasure = (
  lead: Lead,
  {
    isConfirmed,
    onErased,
    onMore,
    onClose,
  }: Record<'onErased' | 'onMore' | 'onClose', () => void> & { isConfirmed: boolean },
) => {
  const [isErasing, setErasing] = useState(false)
  const [left, setLeft] = useState<number>()
  const [contracts, setContracts] = useState<'keep' | 'erase'>('keep')
  const [ticks, setTicks] = useState<Ticks>(new Map())
  const { data: found, error: failure, mutate } = useErasable(lead.id)
  const leads = found && chooseLeads(lead.id, found, ticks)
  const included = leads?.filter(({ isIncluded }) => isIncluded) ?? []
  const toStore = included.filter(({ contract }) => contract !== undefined)
  const staying = contracts === 'keep' ? familiesOf(toStore, included) : []
  // from then on it continues without this page
  const hasBegun = left !== undefined
  const isHeld = isErasing && !hasBegun
  useUnsaved(isHeld)
  const chats = found && leads ? includedChats(found, leads) : []
  const goingCount = included.length - staying.length
  const isReady = isConfirmed && found !== undefined && !isErasing && goingCount + chats.length > 0

  const refused = (error: unknown) => {
    const more = erasableOf(error)
    if (more) {
      mutate(more, false)
      onMore()
    }
    toast({
      title: 'Not erased',
      description: more ? 'The list has changed. Check it again.' : reasonOf(error),
      variant: 'destructive',
    })
    setErasing(false)
  }

  const erase = async (event: FormEvent) => {
    event.preventDefault()
    if (!isReady || !leads) return
    setErasing(true)
    let leftNow: number | undefined
    try {
      await erasePerson(
        lead.id,
        {
          ...found,
          chosenIds: included.map(({ id }) => id),
          contracts: toStore.length > 0 ? contracts : undefined,
        },
        (count) => {
          leftNow = count
          setLeft(count)
        },
      )
      const ofContract = staying.length > 0 && 'The contract stays as long as the law asks for it.'
      const description = ['Their personal data is deleted for good.', ofContract, stayingInWords(leads)]
        .filter(Boolean)
        .join(' ')
      toast({ title: 'Erased', description })
      onErased()
    } catch (error) {
      console.warn('The person was not erased, or not all of them yet:', error)
      if (leftNow === undefined) return refused(error)
      const description = 'The rest is erased in the background.'
      toast({ title: `Not all erased yet: ${leftNow} left`, description })
      onClose()
    }
  }

  return {
    leads,
    chats,
    goingCount,
    toStore,
    contracts,
    chooseContracts: setContracts,
    left,
    isErasing,
    isHeld,
    isReady,
    failure: found ? undefined : failure,
    tick: (id: string, isIncluded: boolean) => setTicks(new Map([...ticks, [id, isIncluded]])),
    lookAgain: () => mutate(),
    erase,
  }
}
