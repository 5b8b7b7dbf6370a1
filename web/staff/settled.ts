import { useEffect, useState } from 'react'

/** A text as it is once it has stayed the same for some milliseconds: nobody types any more. */
export const useSettled = (text: string, pauseMs: number): string => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text, pauseMs])
  return settled
}
