import { toast } from '../../ui/toast/toasts.ts'
import { reasonOf } from '../refusal.ts'

/** Takes something back by `undo`, and says whether it was, and what was not (`left`); never throws. */
export const takeBack = async (undo: () => Promise<unknown>, left?: string): Promise<void> => {
  try {
    await undo()
    toast({ title: 'Undone', ...(left && { description: left }), variant: 'default' })
  } catch (error) {
    console.warn('Nothing was undone:', error)
    toast({ title: 'Couldn’t undo', description: reasonOf(error), variant: 'destructive' })
  }
}
