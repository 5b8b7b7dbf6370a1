import { type ChangeEvent, useState } from 'react'
import type { Lead } from '../../../events/lead/wire.ts'

/** A press on a checkbox, as it changes. With Shift it selects all from the one pressed before. */
const isWithShift = ({ nativeEvent }: ChangeEvent<HTMLInputElement>) =>
  nativeEvent instanceof MouseEvent && nativeEvent.shiftKey

/** The selected leads of a list; `ids` are those of all its leads, in the order in which they are shown. */
export const usePicks = (leads: readonly Lead[], ids: readonly string[]) => {
  const [pickedIds, setPickedIds] = useState<ReadonlySet<string>>(new Set())
  const [lastId, setLastId] = useState<string>()

  const set = (wanted: readonly string[], isPicked: boolean) =>
    setPickedIds((before) => {
      const others = [...before].filter((id) => !wanted.includes(id))
      return new Set(isPicked ? [...others, ...wanted] : others)
    })
  const upTo = (id: string) => {
    const [one, other] = [ids.indexOf(lastId ?? ''), ids.indexOf(id)]
    return one < 0 ? [id] : ids.slice(Math.min(one, other), Math.max(one, other) + 1)
  }

  return {
    // leads that have left the list are not changed
    picked: leads.filter(({ id }) => pickedIds.has(id)),
    /** The lead that was selected or deselected last. */
    lastId,
    isPicked: (id: string) => pickedIds.has(id),
    pick: (id: string, event: ChangeEvent<HTMLInputElement>) => {
      set(isWithShift(event) ? upTo(id) : [id], event.target.checked)
      setLastId(id)
    },
    toggle: (id: string) => {
      set([id], !pickedIds.has(id))
      setLastId(id)
    },
    pickAll: (isPicked: boolean) => set(ids, isPicked),
    clear: () => setPickedIds(new Set()),
  }
}
